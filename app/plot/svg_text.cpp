// Writes numbers and text for SVG and HTML.
#include "app/plot/svg_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/base/characters.h"

namespace ropescope::plot {

std::string svg_number(double pixels, int decimals) {
    constexpr double kFar = 1e6;
    std::string text = fmt::format(
        "{:.{}f}", std::isnan(pixels) ? 0.0 : std::clamp(pixels, -kFar, kFar), decimals);
    if (decimals > 0) {
        text.erase(text.find_last_not_of('0') + 1);
        text.erase(text.find_last_not_of('.') + 1);
    }
    return text == "-0" ? "0" : text;
}

std::string escaped(std::string_view text) {
    std::string result;
    for (const char32_t c : code_points(text)) {
        switch (c) {
            case U'&':
                result += "&amp;";
                break;
            case U'<':
                result += "&lt;";
                break;
            case U'>':
                result += "&gt;";
                break;
            case U'"':
                result += "&quot;";
                break;
            default: {
                const bool blank = c == U'\n' || c == U'\t';
                const bool foreign = (c < U' ' && !blank) || c == 0xFFFE || c == 0xFFFF;
                result += to_utf8(std::u32string(1, foreign ? kReplacementCharacter : c));
            }
        }
    }
    return result;
}

}  // namespace ropescope::plot
