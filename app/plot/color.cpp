// Samples the colour maps.
#include "app/plot/color.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/error.h"
#include "core/base/index.h"

namespace ropescope::plot {
namespace {

/// Every fifth row of the published table of viridis (N. Smith, S. van der Walt, E. Firing;
/// github.com/BIDS/colormap, colormaps.py, CC0). Linear interpolation between them stays within
/// 1/255 of the other rows.
struct Rgb {
    double r, g, b;
};
constexpr std::array<Rgb, 52> kViridis = {{
    {.267004, .004874, .329415}, {.273809, .031497, .358853}, {.278791, .062145, .386592},
    {.281924, .089666, .412415}, {.283197, .115680, .436115}, {.282623, .140926, .457517},
    {.280255, .165693, .476498}, {.276194, .190074, .493001}, {.270595, .214069, .507052},
    {.263663, .237631, .518762}, {.255645, .260703, .528312}, {.246811, .283237, .535941},
    {.237441, .305202, .541921}, {.227802, .326594, .546532}, {.218130, .347432, .550038},
    {.208623, .367752, .552675}, {.199430, .387607, .554642}, {.190631, .407061, .556089},
    {.182256, .426184, .557120}, {.174274, .445044, .557792}, {.166617, .463708, .558119},
    {.159194, .482237, .558073}, {.151918, .500685, .557587}, {.144759, .519093, .556572},
    {.137770, .537492, .554906}, {.131172, .555899, .552459}, {.125394, .574318, .549086},
    {.121148, .592739, .544641}, {.119423, .611141, .538982}, {.121380, .629492, .531973},
    {.128087, .647749, .523491}, {.140210, .665859, .513427}, {.157851, .683765, .501686},
    {.180653, .701402, .488189}, {.208030, .718701, .472873}, {.239374, .735588, .455688},
    {.274149, .751988, .436601}, {.311925, .767822, .415586}, {.352360, .783011, .392636},
    {.395174, .797475, .367757}, {.440137, .811138, .340967}, {.487026, .823929, .312321},
    {.535621, .835785, .281908}, {.585678, .846661, .249897}, {.636902, .856542, .216620},
    {.688944, .865448, .182725}, {.741388, .873449, .149561}, {.793760, .880678, .120005},
    {.845561, .887322, .099702}, {.896320, .893616, .096335}, {.945636, .899815, .112838},
    {.993248, .906157, .143936},
}};

std::uint8_t byte(double value) {
    return narrow<std::uint8_t>(std::lround(std::clamp(value, 0.0, 1.0) * 255));
}

Color viridis(double value) {
    const double place = value * (kViridis.size() - 1);
    const Index below = std::min<Index>(floor_to_index(place), kViridis.size() - 2);
    const double share = place - to_double(below);
    const Rgb& a = kViridis[below];
    const Rgb& b = kViridis[below + 1];
    return {byte(std::lerp(a.r, b.r, share)), byte(std::lerp(a.g, b.g, share)),
            byte(std::lerp(a.b, b.b, share)), 255};
}

/// Oklab (B. Ottosson 2020, bottosson.github.io/posts/oklab): equal steps look equal, so the two
/// arms of the diverging map are as even as viridis is.
struct Oklab {
    double l, a, b;
};

Oklab to_oklab(Color color) {
    const auto linear = [](std::uint8_t channel) {
        const double v = channel / 255.0;
        return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    };
    const double r = linear(color.r);
    const double g = linear(color.g);
    const double b = linear(color.b);
    const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

Color to_color(Oklab lab) {
    const auto cube = [](double v) { return v * v * v; };
    const auto encoded = [](double v) {
        return byte(v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055);
    };
    const double l = cube(lab.l + 0.3963377774 * lab.a + 0.2158037573 * lab.b);
    const double m = cube(lab.l - 0.1055613458 * lab.a - 0.0638541728 * lab.b);
    const double s = cube(lab.l - 0.0894841775 * lab.a - 1.2914855480 * lab.b);
    return {encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
            encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
            encoded(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s), 255};
}

/// From one colour over the panel's to another.
Color between(Color low, Color high, double value, const Theme& theme) {
    const double strength = std::abs(2 * value - 1);
    const Oklab zero = to_oklab(theme[Role::panel]);
    const Oklab end = to_oklab(value < 0.5 ? low : high);
    return to_color({std::lerp(zero.l, end.l, strength), std::lerp(zero.a, end.a, strength),
                     std::lerp(zero.b, end.b, strength)});
}

}  // namespace

Color sample(ColorMap map, double value, const Theme& theme) {
    if (std::isnan(value)) {
        return theme[Role::faint];
    }
    const double inside = std::clamp(value, 0.0, 1.0);
    switch (map) {
        case ColorMap::viridis:
            return viridis(inside);
        case ColorMap::diverging:
            return between(theme.map_low, theme.map_high, inside, theme);
        case ColorMap::agreement:
            break;
    }
    return between(theme[Role::right], theme[Role::dim], inside, theme);
}

// Defines the themes, and computes contrasts and mixtures of two colours.

namespace {

// In the order of Role: background panel raised line grid selected text dim faint accent query key
// cos sin wrong right first second third. The accent is the query's colour. The last three and the
// ends of the map of signed values are hues that no other role has.
constexpr RoleColors kDark = {rgb(0x14161a), rgb(0x1a1d23), rgb(0x22262e), rgb(0x2c323c),
                              rgb(0x262b33), rgb(0x2a3441), rgb(0xe8eaed), rgb(0x9aa3af),
                              rgb(0x5a6472), rgb(0x56b4e9), rgb(0x56b4e9), rgb(0xe69f00),
                              rgb(0x009e73), rgb(0xcc79a7), rgb(0xd55e00), rgb(0x7fe08a),
                              rgb(0x5fc4cf), rgb(0xc9a27c), rgb(0x8590c8)};
constexpr RoleColors kLight = {rgb(0xf6f6f3), rgb(0xffffff), rgb(0xf0f1f3), rgb(0xdcdfe4),
                               rgb(0xeceef1), rgb(0xe3edf6), rgb(0x1a1d21), rgb(0x59626e),
                               rgb(0x9aa3af), rgb(0x0072b2), rgb(0x0072b2), rgb(0xc27f00),
                               rgb(0x009e73), rgb(0xb5548c), rgb(0xd55e00), rgb(0x0b5417),
                               rgb(0x14808f), rgb(0x8a6236), rgb(0x3b4570)};

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
