// Colours by meaning. A figure names roles; a theme turns them into colours, so that one meaning
// has one colour everywhere, in light and dark, on screen and on paper.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace ropescope::plot {

struct Color {
    std::uint8_t r = 0, g = 0, b = 0, a = 255;
    bool operator==(const Color&) const = default;
};

/// The meaning of a colour. `accent` marks the thing that is selected, has the focus or is being
/// typed into.
enum class Role {
    background,
    panel,
    raised,
    line,
    grid,
    selected,
    text,
    dim,
    faint,
    accent,
    query,
    key,
    cos_part,
    sin_part,
    wrong,
    right,  ///< what holds; far lighter or darker than `wrong`, for readers who see no red and
            ///< green
    first,  ///< things beside each other that have no colour of their own: systems, methods, axes
    second,
    third,
    count
};

/// 0xrrggbb
constexpr Color rgb(std::uint32_t value, std::uint8_t alpha = 255) {
    return {static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 8),
            static_cast<std::uint8_t>(value), alpha};
}

/// One colour for each role, in the order of Role.
using RoleColors = std::array<Color, static_cast<std::size_t>(Role::count)>;

/// Colours, type sizes (px at scale 1) and line widths. A theme is a value that every drawing
/// function receives.
struct Theme {
    std::string_view name;  ///< "dark", "light", "projector"
    RoleColors colors;
    double body_px = 15, title_px = 18, caption_px = 13.5, small_px = 12;
    double least_px = 0;  ///< words are not written smaller than this to fit, but left out or cut
    Color map_low = {}, map_high = {};  ///< ends of the diverging colour map
    double line_px = 2, thin_px = 1, selected_px = 1.5, corner_px = 7;

    Color operator[](Role role) const { return colors[static_cast<std::size_t>(role)]; }
};

const Theme& dark_theme();
const Theme& light_theme();
/// Light colours, type x 1.35, lines x 1.5.
const Theme& projector_theme();
/// The theme of that name. Throws InputError naming the choices.
const Theme& theme_by_name(std::string_view name);

/// WCAG 2 contrast ratio, 1 .. 21.
double contrast_ratio(Color a, Color b);
/// `color`, moved towards `text` until its contrast on `surface` is 4.5 : 1, so that words in a
/// pale colour stay legible.
Color legible(Color color, Color surface, Color text);
/// The role's colour for words: legible on every ground of the theme that words stand on (page,
/// card, raised, selected), so that one meaning has one colour wherever it is written.
Color word_color(const Theme& theme, Role role);
/// The same colour with its opacity multiplied by `opacity`, 0 .. 1.
Color faded(Color color, double opacity);

/// Colour maps on [0, 1]: viridis for magnitude; diverging (violet - panel - olive) for signed
/// values, where 0.5 means zero and has the theme's panel colour; agreement (right - panel - dim)
/// for verdicts. Values outside [0, 1] take the colour of the nearer end; NaN is grey.
enum class ColorMap { viridis, diverging, agreement };
Color sample(ColorMap map, double value, const Theme& theme = light_theme());

}  // namespace ropescope::plot
