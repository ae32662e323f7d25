// Encodes PNG by libpng, and joins frames to an animated PNG by their chunks.
#include "app/pages/png.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <map>
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

/// Cells as numbers of colours of a palette; empty if the palette has no room.
struct Indexed {
    std::vector<std::uint8_t> cells;
    std::vector<plot::Color> palette;
};

/// The image in at most 256 colours, whose channels are rounded to multiples of `step`: a palette
/// takes about a sixth of the bytes.
Indexed with_palette(const plot::ImageView& image, int step) {
    constexpr std::size_t kMostColors = 256;
    const auto rounded = [step](std::uint8_t channel) {
        return static_cast<std::uint8_t>(std::min((channel + step / 2) / step * step, 255));
    };
    std::map<std::array<std::uint8_t, 4>, std::uint8_t> numbers;
    Indexed indexed;
    for (const plot::Color& c : image.pixels) {
        const std::array<std::uint8_t, 4> color = {rounded(c.r), rounded(c.g), rounded(c.b), c.a};
        const auto found = numbers.find(color);
        if (found != numbers.end()) {
            indexed.cells.push_back(found->second);
            continue;
        }
        if (indexed.palette.size() == kMostColors) {
            return {};
        }
        const auto number = static_cast<std::uint8_t>(indexed.palette.size());
        numbers.emplace(color, number);
        indexed.cells.push_back(number);
        indexed.palette.push_back({color[0], color[1], color[2], color[3]});
    }
    return indexed;
}

std::string encoded(png_image& png, const void* pixels, const void* palette) {
    std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(png), '\0');
    png_alloc_size_t size = bytes.size();
    if (png_image_write_to_memory(&png, bytes.data(), &size, 0, pixels, 0, palette) == 0) {
        throw std::runtime_error(std::string("PNG: the picture cannot be encoded: ") + png.message);
    }
    bytes.resize(size);
    return bytes;
}

}  // namespace

std::string png_bytes(const plot::ImageView& image) {
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    png.width = narrow<png_uint_32>(image.width);
    png.height = narrow<png_uint_32>(image.height);
    static_assert(sizeof(plot::Color) == 4);
    for (const int step : {1, 2, 4}) {
        if (const Indexed indexed = with_palette(image, step); !indexed.cells.empty()) {
            png.format = PNG_FORMAT_RGBA_COLORMAP;
            png.colormap_entries = narrow<png_uint_32>(std::ssize(indexed.palette));
            return encoded(png, indexed.cells.data(), indexed.palette.data());
        }
    }
    png.format = PNG_FORMAT_RGBA;
    return encoded(png, image.pixels.data(), nullptr);
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
