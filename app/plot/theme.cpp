// Defines the themes, and computes contrasts and mixtures of two colours.
#include <algorithm>
#include <cmath>

#include "app/plot/color.h"
#include "core/base/error.h"
#include "core/base/index.h"

namespace ropescope::plot {
namespace {

// In the order of Role: background panel raised line grid selected text dim faint accent query key
// cos sin wrong first second third. The accent is the query's colour. The last three and the ends
// of the map of signed values are hues that no other role has.
constexpr RoleColors kDark = {
    rgb(0x14161a), rgb(0x1a1d23), rgb(0x22262e), rgb(0x2c323c), rgb(0x262b33), rgb(0x2a3441),
    rgb(0xe8eaed), rgb(0x9aa3af), rgb(0x5a6472), rgb(0x56b4e9), rgb(0x56b4e9), rgb(0xe69f00),
    rgb(0x009e73), rgb(0xcc79a7), rgb(0xd55e00), rgb(0x5fc4cf), rgb(0xc9a27c), rgb(0x8590c8)};
constexpr RoleColors kLight = {
    rgb(0xf6f6f3), rgb(0xffffff), rgb(0xf0f1f3), rgb(0xdcdfe4), rgb(0xeceef1), rgb(0xe3edf6),
    rgb(0x1a1d21), rgb(0x59626e), rgb(0x9aa3af), rgb(0x0072b2), rgb(0x0072b2), rgb(0xc27f00),
    rgb(0x009e73), rgb(0xb5548c), rgb(0xd55e00), rgb(0x14808f), rgb(0x8a6236), rgb(0x3b4570)};

/// For the back row of a classroom.
Theme enlarged(Theme theme, std::string_view name, double type, double lines) {
    theme.name = name;
    for (double* size : {&theme.body_px, &theme.title_px, &theme.caption_px, &theme.small_px}) {
        *size *= type;
    }
    for (double* width : {&theme.line_px, &theme.thin_px, &theme.selected_px}) {
        *width *= lines;
    }
    return theme;
}

/// sRGB channel to linear light, WCAG 2.
double linear(std::uint8_t channel) {
    const double value = channel / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double luminance(Color color) {
    return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b);
}

}  // namespace

const Theme& dark_theme() {
    static const Theme theme{
        .name = "dark", .colors = kDark, .map_low = rgb(0xb18cf0), .map_high = rgb(0xc4c93f)};
    return theme;
}

const Theme& light_theme() {
    static const Theme theme{
        .name = "light", .colors = kLight, .map_low = rgb(0x6f42c1), .map_high = rgb(0x838a00)};
    return theme;
}

const Theme& projector_theme() {
    static const Theme theme = enlarged(light_theme(), "projector", 1.35, 1.5);
    return theme;
}

const Theme& theme_by_name(std::string_view name) {
    for (const Theme* theme : {&dark_theme(), &light_theme(), &projector_theme()}) {
        if (theme->name == name) {
            return *theme;
        }
    }
    throw InputError("theme: '" + std::string(name) +
                     "' is unknown; give dark, light or projector");
}

double contrast_ratio(Color a, Color b) {
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

Color legible(Color color, Color surface, Color text) {
    const auto mixed = [](std::uint8_t from, std::uint8_t to, double share) {
        return narrow<std::uint8_t>(std::lround(from + (to - from) * share));
    };
    constexpr int kSteps = 16;
    for (int step = 0; step < kSteps; ++step) {
        const double share = to_double(step) / kSteps;
        const Color candidate{mixed(color.r, text.r, share), mixed(color.g, text.g, share),
                              mixed(color.b, text.b, share), 255};
        if (contrast_ratio(candidate, surface) >= 4.5) {
            return candidate;
        }
    }
    return text;
}

Color word_color(const Theme& theme, Role role) {
    Color color = theme[role];
    for (const Role ground : {Role::panel, Role::background, Role::raised, Role::selected}) {
        color = legible(color, theme[ground], theme[Role::text]);
    }
    return color;
}

Color faded(Color color, double opacity) {
    const double alpha = std::clamp(opacity, 0.0, 1.0) * color.a;
    color.a = narrow<std::uint8_t>(std::lround(alpha));
    return color;
}

}  // namespace ropescope::plot
