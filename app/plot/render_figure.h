// A figure as the bytes of a picture: PNG, SVG or PDF. The same figure gives the same bytes.
#pragma once

#include <string>

#include "app/plot/figure.h"
#include "app/plot/ground.h"
#include "app/plot/letters.h"

namespace ropescope::plot {

enum class ImageFormat { png, svg, pdf };

struct ExportOptions {
    int width_px = 1200;
    int height_px = 800;
    double scale = 1;  ///< pixels per unit of PNG; type size of the vector formats is unchanged
    Theme theme = light_theme();
    Ground ground = Ground::theme;
    bool with_title = true;           ///< title, subtitle and legend
    Letters letters = Letters::text;  ///< of SVG
};

/// The encoded file's bytes.
std::string render_figure(const Figure& figure, ImageFormat format, const ExportOptions& options);

}  // namespace ropescope::plot
