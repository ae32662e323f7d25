// Writes numbers and tables as text.
#include "app/figures/shared/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "app/plot/number_text.h"

namespace ropescope::figures {
namespace {

constexpr const char* kMinus = "\u2212";

std::string with_true_minus(std::string text) {
    if (text.starts_with('-')) {
        // "-0.000" is a rounding artefact, not a sign.
        const bool zero = text.find_first_of("123456789") == text.npos;
        text.replace(0, 1, zero ? "" : kMinus);
    }
    return text;
}

}  // namespace

plot::Number fixed_text(double value, int decimals) {
    return {with_true_minus(fmt::format("{:.{}f}", value, decimals)), value};
}

plot::Number small_text(double value, int decimals) {
    return value == 0 || std::abs(value) >= 0.1 ? fixed_text(value, decimals)
                                                : plot::few_digits_text(value, decimals);
}

plot::Number signed_text(double value, int decimals) {
    const plot::Number number = fixed_text(value, decimals);
    return number.starts_with(kMinus) ? number : plot::Number("+" + number, value);
}

plot::Number general_text(double value, int digits) {
    return {fmt::format("{:.{}g}", value, digits), value};
}

std::string point_text(double x, double y) {
    return "( " + signed_text(x, 3) + ", " + signed_text(y, 3) + " )";
}

plot::Number whole_text(Index value) {
    const double exact = to_double(value);
    return {(value < 0 ? kMinus : "") + plot::number_text(std::abs(exact)), exact};
}

double two_digits_up(double value) {
    if (value == 0) {
        return 0;
    }
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1);
    return std::ceil(value / unit) * unit;
}

plot::Number counted(Index count, const std::string& noun) {
    return counted(count, noun, noun + "s");
}

plot::Number counted(Index count, const std::string& noun, const std::string& plural) {
    return {whole_text(count) + " " + (count == 1 ? noun : plural), to_double(count)};
}

std::string_view agreeing(Index count, std::string_view one, std::string_view several) {
    return count == 1 ? one : several;
}

std::string wavelength_text(double wavelength, std::string_view unit) {
    return std::isfinite(wavelength) ? fmt::format("{}{}", plot::number_text(wavelength), unit)
                                     : "stands still";
}

// Places lines of cells in a panel.

plot::Panel lines_panel(const char* id, double columns, Index lines, int row) {
    return {.id = id,
            .x = {.min = 0, .max = columns, .visible = false},
            .y = {.min = 0.3 - to_double(lines), .max = 0.7, .visible = false},
            .row = row};
}

void add_line(plot::Panel& panel, double line, const std::vector<std::string>& cells,
              plot::Role role) {
    for (Index column = 0; column < std::ssize(cells); ++column) {
        const bool first = column == 0;
        panel.marks.emplace_back(plot::Label{.at = {first ? 0.06 : to_double(column) + 0.97, -line},
                                             .text = cells[column],
                                             .role = role,
                                             .anchor_x = first ? 0.0 : 1.0,
                                             .anchor_y = 0.5,
                                             .mono = !first && line > 0});
    }
}

}  // namespace ropescope::figures
