// What pictures of every format share: the limits of their sizes, and how a figure fills one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/plot/painter.h"
#include "app/plot/render_figure.h"

namespace ropescope::plot {

/// Points in a pixel: a PDF page has the size of the picture at 96 pixels per inch.
inline constexpr double kPointsPerPixel = 0.75;

/// Throws InputError if a picture cannot have this size, or letters of that size.
void require_picture(const ExportOptions& options);

/// Draws ground and figure, in a small picture without the panels that have no room
/// (panels_without_room()). `size`: pixels of the painter, `scale` of which are one of the options.
void draw_picture(const Figure& figure, Pixel size, double scale, const ExportOptions& options,
                  Painter& painter);
/// The same anywhere: what a window shows before a file is written.
void draw_picture_in(const Figure& figure, Rect area, double scale, const ExportOptions& options,
                     Painter& painter);

/// The SVG of the figure.
std::string svg_of(const Figure& figure, const ExportOptions& options);

/// As left_out(), measured by a painter. Panels that have no room stand first: "the panel shift".
std::vector<std::string> left_out_of_picture(const Figure& figure, const ExportOptions& options,
                                             Painter& metrics);

/// How the names of such panels begin.
inline constexpr std::string_view kPanelLeftOut = "the panel ";

// The size of a picture as people write it: units of the screen, millimetres or inches.

/// Units of a picture in an inch, as CSS has them; a PNG has `scale` pixels for each unit.
inline constexpr double kUnitsPerInch = 96;

struct PictureSize {
    double width = 0, height = 0;  ///< units
};

/// "1600x1000", "84x60mm" or "3.3x2.5in". Throws InputError that shows the forms, beginning with
/// `name`.
PictureSize parse_picture_size(std::string_view name, std::string_view text);

}  // namespace ropescope::plot
