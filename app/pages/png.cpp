// Encodes PNG by libpng, and joins frames to an animated PNG by their chunks.
#include "app/pages/png.h"

#include <cstdint>
#include <fmt/format.h>
#include <png.h>
#include <stdexcept>
#include <zlib.h>

#include "core/base/error.h"
#include "core/base/index.h"

namespace ropescope::pages {
namespace {

constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";

std::string number(std::uint32_t value, int bytes = 4) {
    std::string text;
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
        text += static_cast<char>(value >> static_cast<unsigned>(shift) & 0xFFU);
    }
    return text;
}

std::uint32_t check_sum(std::string_view bytes) {
    return narrow<std::uint32_t>(
        ::crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), narrow<uInt>(bytes.size())));
}

std::string chunk(std::string_view type, std::string_view data) {
    const std::string body = std::string(type) + std::string(data);
    return number(static_cast<std::uint32_t>(data.size())) + body + number(check_sum(body));
}

/// The parts of a PNG file that an animation needs.
struct Parts {
    std::string header;             ///< data of IHDR
    std::vector<std::string> data;  ///< of each IDAT
};

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
    }
    return value;
}

Parts parts_of(std::string_view png) {
    if (!png.starts_with(kSignature)) {
        throw InputError("animation: a frame is not a PNG");
    }
    Parts parts;
    for (std::size_t at = kSignature.size(); at + 12 <= png.size();) {
        const std::size_t length = number_at(png, at);
        if (length > png.size() - at - 12) {
            throw InputError("animation: a frame ends within a chunk");
        }
        const std::string_view type = png.substr(at + 4, 4), data = png.substr(at + 8, length);
        if (type == "IHDR") {
            parts.header = data;
        } else if (type == "IDAT") {
            parts.data.emplace_back(data);
        }
        at += length + 12;
    }
    return parts;
}

}  // namespace

std::string png_bytes(const plot::ImageView& image) {
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    png.width = narrow<png_uint_32>(image.width);
    png.height = narrow<png_uint_32>(image.height);
    png.format = PNG_FORMAT_RGBA;
    std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(png), '\0');
    png_alloc_size_t size = bytes.size();
    static_assert(sizeof(plot::Color) == 4);
    if (png_image_write_to_memory(&png, bytes.data(), &size, 0, image.pixels.data(), 0, nullptr) ==
        0) {
        throw std::runtime_error(std::string("PNG: the picture cannot be encoded: ") + png.message);
    }
    bytes.resize(size);
    return bytes;
}

std::string animated_png(const std::vector<std::string>& frames, int milliseconds_a_frame) {
    if (frames.empty()) {
        throw InputError("animation: there is no frame");
    }
    const Parts first = parts_of(frames.front());
    const std::string size = first.header.substr(0, 8);
    std::string bytes(kSignature);
    bytes += chunk("IHDR", first.header);
    bytes += chunk("acTL", number(static_cast<std::uint32_t>(frames.size())) + number(0));
    std::uint32_t sequence = 0;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const Parts parts = parts_of(frames[i]);
        if (parts.header != first.header) {
            throw InputError(
                fmt::format("animation: frame {} has another size or form than the first", i + 1));
        }
        const std::string place = number(0) + number(0);
        const std::string delay =
            number(static_cast<std::uint32_t>(milliseconds_a_frame), 2) + number(1000, 2);
        bytes += chunk("fcTL", number(sequence++) + size + place + delay + number(0, 2));
        for (const std::string& data : parts.data) {
            bytes += i == 0 ? chunk("IDAT", data) : chunk("fdAT", number(sequence++) + data);
        }
    }
    return bytes + chunk("IEND", "");
}

}  // namespace ropescope::pages
