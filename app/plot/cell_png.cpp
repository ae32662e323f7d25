// Has Cairo write the PNG, with cells so large that viewers keep their edges.
#include "app/plot/cell_png.h"

#include <fmt/format.h>
#include <stdexcept>

#include "app/plot/cairo_painter.h"

namespace ropescope::plot {

std::string cell_png(const ImageView& image) {
    const Surface surface = cell_image(image, sharp_zoom(image));
    std::string png;
    if (cairo_surface_write_to_png_stream(surface.get(), append_bytes, &png) !=
        CAIRO_STATUS_SUCCESS) {
        throw std::runtime_error(fmt::format("figure: Cairo cannot write an image of {} x {} cells",
                                             image.width, image.height));
    }
    return png;
}

}  // namespace ropescope::plot
