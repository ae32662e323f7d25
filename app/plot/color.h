// Colours by meaning. A figure names roles; a theme turns them into colours, so that one meaning
// has one colour everywhere, in light and dark, on screen and on paper. Sources: theme.cpp,
// color_map.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace ropescope::plot {

struct Color {
    std::uint8_t r = 0, g = 0, b = 0, a = 255;
    bool operator==(const Color&) const = default;
};

/// What a colour means. `accent` marks what is selected, focused or typed into.
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
    count
};

/// 0xrrggbb
constexpr Color rgb(std::uint32_t value, std::uint8_t alpha = 255) {
    return {static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 8),
            static_cast<std::uint8_t>(value), alpha};
}

/// A colour a role, in their order.
using RoleColors = std::array<Color, static_cast<std::size_t>(Role::count)>;

/// Colours, type sizes (px at scale 1) and line widths. Values, not state: pass it along.
struct Theme {
    std::string_view name;  ///< "dark", "light", "projector"
    RoleColors colors;
    double body_px = 15, title_px = 18, caption_px = 13.5, small_px = 12;
    Color map_low = {}, map_high = {};  ///< ends of the diverging colour map
    double line_px = 2, thin_px = 1, selected_px = 1.5, corner_px = 7;

    Color operator[](Role role) const { return colors[static_cast<std::size_t>(role)]; }
};

const Theme& dark_theme();
const Theme& light_theme();
/// Light colours, type x 1.35, lines x 1.5.
const Theme& projector_theme();
/// By name; throws InputError naming the choices.
const Theme& theme_by_name(std::string_view name);

/// WCAG 2 contrast ratio, 1 .. 21.
double contrast_ratio(Color a, Color b);
/// `color` moved towards `text` until it can be read on `surface` (4.5 : 1): coloured words are
/// legible where coloured lines would be pale.
Color legible(Color color, Color surface, Color text);
/// The same colour with `opacity` (0 .. 1) of its own.
Color faded(Color color, double opacity);

/// Colour maps on [0, 1]: viridis for magnitude; diverging (blue - panel - orange) for signed
/// values, 0.5 is zero and takes the theme's panel colour. Values outside are clamped, NaN is grey.
enum class ColorMap { viridis, diverging };
Color sample(ColorMap map, double value, const Theme& theme = light_theme());

}  // namespace ropescope::plot
