// Copies the cells of an image into a surface of Cairo.
#include "app/plot/cell_image.h"

#include <cstring>

namespace ropescope::plot {
namespace {

std::uint32_t premultiplied(Color c) {
    const auto scaled = [&c](std::uint32_t v) { return (v * c.a + 127) / 255; };
    return std::uint32_t{c.a} << 24U | scaled(c.r) << 16U | scaled(c.g) << 8U | scaled(c.b);
}

}  // namespace

int sharp_zoom(const ImageView& image) {
    constexpr Index kRoom = Index{1} << 22;
    constexpr int kZoom = 8;
    return image.width * image.height <= kRoom / (kZoom * kZoom) ? kZoom : 1;
}

Surface cell_image(const ImageView& image, int zoom) {
    const int width = narrow<int>(image.width) * zoom;
    const int height = narrow<int>(image.height) * zoom;
    Surface surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height));
    unsigned char* bytes = cairo_image_surface_get_data(surface.get());
    if (bytes == nullptr) {
        return surface;
    }
    const int stride = cairo_image_surface_get_stride(surface.get());
    for (int row = 0; row < height; ++row) {
        for (int column = 0; column < width; ++column) {
            const std::uint32_t pixel =
                premultiplied(image.pixels[row / zoom * image.width + column / zoom]);
            std::memcpy(bytes + Index{row} * stride + column * 4, &pixel, sizeof pixel);
        }
    }
    cairo_surface_mark_dirty(surface.get());
    return surface;
}

}  // namespace ropescope::plot
