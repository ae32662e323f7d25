// An image of cells as a surface of Cairo, for files.
#pragma once

#include "app/plot/cairo_handles.h"
#include "app/plot/painter.h"

namespace ropescope::plot {

/// Each cell becomes zoom x zoom pixels. What Cairo cannot hold (more than 32767 pixels a side)
/// gives a surface that carries the error.
Surface cell_image(const ImageView& image, int zoom);

/// How many pixels a side a cell needs in a vector format, whose viewers smooth pictures when they
/// enlarge them: 8 keep sharp edges. 1 if that would be more than 2^22 pixels.
int sharp_zoom(const ImageView& image);

}  // namespace ropescope::plot
