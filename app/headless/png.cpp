// Writes a picture as PNG bytes, declared in screenshot.h.
#include <png.h>
#include <stdexcept>

#include "app/headless/screenshot.h"
#include "core/base/index.h"

namespace ropescope::headless {

// Default settings of libpng and no time stamp, so that the same image gives the same bytes.
std::string encode_png(const Image& image) {
    std::vector<std::uint8_t> rgb;
    rgb.reserve(image.pixels.size() * 3);
    for (const plot::Color& pixel : image.pixels) {
        rgb.insert(rgb.end(), {pixel.r, pixel.g, pixel.b});
    }
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    png.width = narrow<png_uint_32>(image.width);
    png.height = narrow<png_uint_32>(image.height);
    png.format = PNG_FORMAT_RGB;
    std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(png), '\0');
    png_alloc_size_t size = bytes.size();
    if (png_image_write_to_memory(&png, bytes.data(), &size, 0, rgb.data(), 0, nullptr) == 0) {
        throw std::runtime_error(std::string("PNG: the picture cannot be encoded: ") + png.message);
    }
    bytes.resize(size);
    return bytes;
}

}  // namespace ropescope::headless
