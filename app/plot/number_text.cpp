// Writes numbers with few digits or all of them.
#include "app/plot/number_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ropescope::plot {

std::string grouped(std::string digits) {
    const std::size_t first = digits.starts_with('-') ? 1 : 0;
    std::size_t at = std::min(digits.find('.'), digits.size());
    while (at > first + 3) {
        at -= 3;
        digits.insert(at, "\u2009");
    }
    return digits;
}

std::string without_trailing_zeros(std::string digits) {
    if (digits.find('.') == std::string::npos) {
        return digits == "-0" ? "0" : digits;
    }
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.ends_with('.')) {
        digits.pop_back();
    }
    return digits == "-0" ? "0" : digits;
}

std::string with_true_minus(const std::string& text) {
    return text.starts_with('-') ? "\u2212" + text.substr(1) : text;
}

std::string number_text(double value) {
    if (std::isnan(value)) {
        return "nan";
    }
    if (std::isinf(value)) {
        return value < 0 ? "\u2212inf" : "inf";
    }
    const double magnitude = std::abs(value);
    if (magnitude == 0) {
        return "0";
    }
    if (magnitude < 1e-4 || magnitude >= 1e15) {
        return with_true_minus(fmt::format("{:.4g}", value));
    }
    // Digits after the point that make four significant ones.
    const int decimals = std::max(0, 3 - static_cast<int>(std::floor(std::log10(magnitude))));
    return with_true_minus(
        grouped(without_trailing_zeros(fmt::format("{:.{}f}", value, decimals))));
}

std::string exact_number_text(double value) {
    const std::string digits = fmt::format("{}", value);
    const bool grouping = std::isfinite(value) && digits.find('e') == std::string::npos;
    return with_true_minus(grouping ? grouped(digits) : digits);
}

}  // namespace ropescope::plot
