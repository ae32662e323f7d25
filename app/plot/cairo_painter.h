// The painter for files: PNG, SVG and PDF through Cairo and Pango. Byte for byte reproducible.
#pragma once

#include <filesystem>
#include <string>

#include "app/plot/figure.h"
#include "app/plot/painter.h"

namespace ropescope::plot {

enum class ImageFormat { png, svg, pdf };

struct ExportOptions {
    int width_px = 1200;
    int height_px = 800;
    double scale = 1;  ///< pixels per unit of PNG; type size of the vector formats is unchanged
    Theme theme = light_theme();
};

/// The encoded file's bytes.
std::string render_figure(const Figure& figure, ImageFormat format, const ExportOptions& options);

}  // namespace ropescope::plot
