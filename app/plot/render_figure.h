// A figure as the bytes of a picture: PNG, SVG or PDF. The same figure gives the same bytes.
// Sources: render_figure.cpp, by Cairo; render_figure_svg.cpp where it is missing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/plot/figure.h"
#include "app/plot/painter.h"
#include "app/plot/svg_text.h"

namespace ropescope::plot {

/// Units; a column of a paper, 84 mm, is 317 of them.
inline constexpr double kNarrow = 420;

// What can be drawn: sides in units and, times the scale, in pixels; letters in points.
inline constexpr double kLeastSide = 16, kLargestSide = 16384, kLeastScale = 0.1;
inline constexpr double kLeastFont = 4, kLargestFont = 40;

enum class ImageFormat { png, svg, pdf };

struct ExportOptions {
    double width_px = 1200;  ///< need not be whole: 84 mm are 317.48
    double height_px = 800;
    double scale = 1;  ///< pixels per unit of PNG; type size of the vector formats is unchanged
    Theme theme = light_theme();
    /// Points of the smallest letters, kLeastFont to kLargestFont; empty: the theme's, or smaller
    /// in narrow pictures.
    std::optional<double> font_pt = {};
    /// "sans", the letters of the window; "serif", as the system has them; or the path of a font.
    std::string font = "sans";
    Ground ground = Ground::theme;
    Dress dress = {};
    Letters letters = Letters::text;  ///< of SVG
};

/// The endings of the formats that this build writes: "svg", "png", with Cairo "pdf".
const std::vector<std::string>& picture_formats();

/// What the picture has no room for, each in a few words; empty if all of the figure is drawn.
std::vector<std::string> left_out(const Figure& figure, const ExportOptions& options);

/// The encoded file's bytes. A picture that is narrower than kNarrow has smaller type, down to
/// three quarters of the theme's, unless the size of its letters is given.
std::string render_figure(const Figure& figure, ImageFormat format, const ExportOptions& options);

}  // namespace ropescope::plot
