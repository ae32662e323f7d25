// An image of cells as a PNG within a vector picture.
// Sources: cell_png.cpp, by Cairo; cell_png_stored.cpp, by nothing, where Cairo is missing.
#pragma once

#include <string>

#include "app/plot/painter.h"

namespace ropescope::plot {

/// The bytes of the PNG.
std::string cell_png(const ImageView& image);

}  // namespace ropescope::plot
