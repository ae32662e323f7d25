// Checks the size of a picture and draws a figure to its edges.
#include "app/plot/picture_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "app/plot/draw_figure.h"
#include "app/plot/look.h"
#include "app/plot/svg_painter.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/parse_list.h"

namespace ropescope::plot {
namespace {

/// In a narrow picture letters and margins leave the plots their room.
double type_scale(const ExportOptions& options) {
    if (options.font_pt) {
        return *options.font_pt / kPointsPerPixel / options.theme.small_px;
    }
    return std::clamp(options.width_px / kNarrow, 0.75, 1.0);
}

Figure without_panels(Figure figure, const std::vector<std::string>& ids) {
    for (const std::string& id : ids) {
        figure = without_panel(std::move(figure), id);
    }
    return figure;
}

/// Without cards the plots lie on their colour, not on that of what is around cards.
Color ground_color(const ExportOptions& options) {
    return options.ground == Ground::white
               ? rgb(0xffffff)
               : options.theme[options.dress.cards ? Role::background : Role::panel];
}

}  // namespace

void require_picture(const ExportOptions& options) {
    const double largest = std::max(options.width_px, options.height_px) * options.scale;
    if (std::min(options.width_px, options.height_px) < kLeastSide || !(largest <= kLargestSide) ||
        !(options.scale >= kLeastScale)) {
        throw InputError(fmt::format(
            "size: {}x{} at scale {} cannot be drawn; give {} to {} pixels a side in all and a "
            "scale of at least {}",
            options.width_px, options.height_px, options.scale, kLeastSide, kLargestSide,
            kLeastScale));
    }
    if (options.font_pt && !(*options.font_pt >= kLeastFont && *options.font_pt <= kLargestFont)) {
        throw InputError(fmt::format("font size: {} is not from {} to {} points", *options.font_pt,
                                     kLeastFont, kLargestFont));
    }
}

void draw_picture(const Figure& figure, Pixel size, double scale, const ExportOptions& options,
                  Painter& painter) {
    draw_picture_in(figure, {0, 0, size.x, size.y}, scale, options, painter);
}

void draw_picture_in(const Figure& figure, Rect area, double scale, const ExportOptions& options,
                     Painter& painter) {
    if (options.ground != Ground::transparent) {
        painter.fill_rect(area, ground_color(options));
    }
    const double type = scale * type_scale(options);
    const auto draw = [&](const Figure& shown) {
        draw_figure(shown, area, options.theme, type, painter, options.dress);
    };
    // Copies only where something is left out.
    const std::vector<std::string> no_room =
        panels_without_room(figure, area, options.theme, type, painter, options.dress);
    if (no_room.empty() && options.dress.selection) {
        draw(figure);
        return;
    }
    const Figure shown = without_panels(figure, no_room);
    draw(options.dress.selection ? shown : without_selection(shown));
}

std::string svg_of(const Figure& figure, const ExportOptions& options) {
    const Pixel size{options.width_px, options.height_px};
    SvgPainter painter(size, figure.title, figure.subtitle, options.letters, options.font);
    draw_picture(figure, size, 1, options, painter);
    return painter.finish();
}

std::vector<std::string> left_out_of_picture(const Figure& figure, const ExportOptions& options,
                                             Painter& metrics) {
    const Rect area{0, 0, std::round(options.width_px * options.scale),
                    std::round(options.height_px * options.scale)};
    const double type = options.scale * type_scale(options);
    const std::vector<std::string> no_room =
        panels_without_room(figure, area, options.theme, type, metrics, options.dress);
    if (no_room.empty()) {
        return left_out(figure, area, options.theme, type, metrics, options.dress);
    }
    std::vector<std::string> parts;
    for (const std::string& id : no_room) {
        parts.push_back(std::string(kPanelLeftOut) + id);
    }
    const std::vector<std::string> others = left_out(without_panels(figure, no_room), area,
                                                     options.theme, type, metrics, options.dress);
    parts.insert(parts.end(), others.begin(), others.end());
    return parts;
}

// Reads a size in one of three units.

PictureSize parse_picture_size(std::string_view name, std::string_view text) {
    constexpr double kMost = 1e6;
    constexpr std::array<std::pair<std::string_view, double>, 3> kLengths = {
        {{"mm", kUnitsPerInch / 25.4}, {"in", kUnitsPerInch}, {"px", 1}}};
    std::string_view numbers = text;
    double units = 1;
    bool whole = true;
    for (const auto& [length, factor] : kLengths) {
        if (text.ends_with(length)) {
            numbers.remove_suffix(length.size());
            units = factor;
            whole = length == "px";
        }
    }
    const std::vector<std::string_view> sides = split(numbers, 'x');
    if (const std::string wrong = misread(sides); !wrong.empty()) {
        throw InputError(fmt::format("{}: {}", name, wrong));
    }
    const auto side = [&](std::string_view number) {
        const double given = whole ? parse_number<int>(number).value_or(0)
                                   : parse_number<double>(number).value_or(0);
        const double size = given * units;
        return size >= 1 && size <= kMost ? size : 0.0;  // not NaN
    };
    const PictureSize size{side(sides.front()), side(sides.back())};
    if (sides.size() != 2 || size.width < 1 || size.height < 1) {
        throw InputError(
            fmt::format("{}: {} is not a size; give WIDTHxHEIGHT, for example 1600x1000, 84x60mm "
                        "or 3.3x2.5in",
                        name, in_quotes(text)));
    }
    return size;
}

}  // namespace ropescope::plot
