// Writes numbers with few digits or all of them.
#include "app/plot/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

namespace ropescope::plot {
namespace {

/// "⁻⁸"
std::string superscript(int number) {
    constexpr std::array<std::string_view, 10> kDigits = {"⁰", "¹", "²", "³", "⁴",
                                                          "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = number < 0 ? "⁻" : "";
    for (const char digit : fmt::format("{}", std::abs(number))) {
        text += kDigits.at(static_cast<std::size_t>(digit - '0'));
    }
    return text;
}

}  // namespace

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

std::string times_power_of_ten(const std::string& mantissa, int exponent) {
    const std::string power = "10" + superscript(exponent);
    if (mantissa == "1" || mantissa == "\u22121") {
        return mantissa.substr(0, mantissa.size() - 1) + power;
    }
    return mantissa + "×" + power;
}

Number number_text(double value) {
    if (std::isnan(value)) {
        return {"nan", value};
    }
    if (std::isinf(value)) {
        return {value < 0 ? "\u2212inf" : "inf", value};
    }
    const double magnitude = std::abs(value);
    if (magnitude == 0) {
        return {"0", value};
    }
    if (magnitude < 1e-4 || magnitude >= 1e15) {
        return few_digits_text(value, 4);
    }
    // Digits after the point that make four significant ones.
    const int decimals = std::max(0, 3 - static_cast<int>(std::floor(std::log10(magnitude))));
    return {
        with_true_minus(grouped(without_trailing_zeros(fmt::format("{:.{}f}", value, decimals)))),
        value};
}

Number few_digits_text(double value, int digits) {
    const std::string text = with_true_minus(fmt::format("{:.{}g}", value, digits));
    const std::size_t at = text.find('e');
    if (!std::isfinite(value) || at == std::string::npos) {
        return {text, value};
    }
    return {times_power_of_ten(text.substr(0, at), std::stoi(text.substr(at + 1))), value};
}

Number exact_number_text(double value) {
    const std::string digits = fmt::format("{}", value);
    const bool grouping = std::isfinite(value) && digits.find('e') == std::string::npos;
    return {with_true_minus(grouping ? grouped(digits) : digits), value};
}

}  // namespace ropescope::plot
