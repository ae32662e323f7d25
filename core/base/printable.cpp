// Escapes what a one-line message cannot show.
#include "core/base/printable.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/base/utf8.h"

namespace ropescope {
namespace {

/// Characters that a terminal obeys or that reorder and break lines: the control characters of
/// ASCII and Latin-1, the line and paragraph separators, and the marks of direction (Unicode's UAX
/// #9).
bool controls_the_terminal(char32_t point) {
    return point < 0x20 || (point >= 0x7F && point < 0xA0) || point == 0x61C ||
           (point >= 0x200E && point <= 0x200F) || (point >= 0x2028 && point <= 0x202E) ||
           (point >= 0x2066 && point <= 0x2069);
}

std::string escaped(std::string_view bytes) {
    std::string out;
    for (const char byte : bytes) {
        out += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    }
    return out;
}

}  // namespace

std::string printable(std::string_view text, std::size_t limit) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
        const bool plain = length > 0 && !controls_the_terminal(code_points(character).front());
        const std::string piece = plain ? std::string(character) : escaped(character);
        if (out.size() + piece.size() > limit) {
            return out + "...";
        }
        out += piece;
        text.remove_prefix(character.size());
    }
    return out;
}

std::string in_quotes(std::string_view text) {
    return fmt::format("'{}'", printable(text, kLongestName));
}

}  // namespace ropescope
