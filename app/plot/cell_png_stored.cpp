// In place of cell_png.cpp where there is no Cairo: a PNG whose bytes are stored, not compressed,
// with one pixel for each cell. (https://www.w3.org/TR/png-3/; RFC 1950 and 1951 for the stored
// blocks)
#include <algorithm>
#include <array>
#include <cstdint>

#include "app/plot/cell_png.h"

namespace ropescope::plot {
namespace {

void append_number(std::string& bytes, std::uint32_t number) {
    for (int shift = 24; shift >= 0; shift -= 8) {
        bytes += static_cast<char>(number >> static_cast<unsigned>(shift) & 0xFFU);
    }
}

std::uint32_t crc(std::string_view bytes) {
    static const auto table = [] {
        std::array<std::uint32_t, 256> entries{};
        for (std::uint32_t n = 0; n < entries.size(); ++n) {
            std::uint32_t c = n;
            for (int bit = 0; bit < 8; ++bit) {
                c = (c & 1U) != 0 ? 0xEDB88320U ^ c >> 1U : c >> 1U;
            }
            entries[n] = c;
        }
        return entries;
    }();
    std::uint32_t c = ~0U;
    for (const char byte : bytes) {
        c = table[(c ^ static_cast<unsigned char>(byte)) & 0xFFU] ^ c >> 8U;
    }
    return ~c;
}

std::uint32_t adler(std::string_view bytes) {
    std::uint32_t a = 1, b = 0;
    for (const char byte : bytes) {
        a = (a + static_cast<unsigned char>(byte)) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16U | a;
}

/// The bytes as a zlib stream of stored blocks.
std::string stored(std::string_view bytes) {
    constexpr std::size_t kMost = 65535;
    std::string stream = "\x78\x01";
    for (std::size_t at = 0; at == 0 || at < bytes.size(); at += kMost) {
        const std::string_view block = bytes.substr(at, kMost);
        const auto size = static_cast<std::uint32_t>(block.size());
        stream += at + kMost >= bytes.size() ? '\1' : '\0';
        for (const std::uint32_t word : {size, ~size}) {
            stream += static_cast<char>(word & 0xFFU);
            stream += static_cast<char>(word >> 8U & 0xFFU);
        }
        stream += block;
    }
    append_number(stream, adler(bytes));
    return stream;
}

void append_chunk(std::string& png, std::string_view name, std::string_view data) {
    append_number(png, static_cast<std::uint32_t>(data.size()));
    const std::string named = std::string(name) + std::string(data);
    png += named;
    append_number(png, crc(named));
}

}  // namespace

std::string cell_png(const ImageView& image) {
    std::string header;
    append_number(header, narrow<std::uint32_t>(image.width));
    append_number(header, narrow<std::uint32_t>(image.height));
    header += std::string("\x08\x06\0\0\0", 5);  // 8 bits of red, green, blue and opacity
    std::string rows;
    for (Index row = 0; row < image.height; ++row) {
        rows += '\0';  // no filter
        for (Index column = 0; column < image.width; ++column) {
            const Color c = image.pixels[static_cast<std::size_t>(row * image.width + column)];
            for (const auto channel : {c.r, c.g, c.b, c.a}) {
                rows += static_cast<char>(channel);
            }
        }
    }
    std::string png = "\x89PNG\r\n\x1a\n";
    append_chunk(png, "IHDR", header);
    append_chunk(png, "IDAT", stored(rows));
    append_chunk(png, "IEND", "");
    return png;
}

}  // namespace ropescope::plot
