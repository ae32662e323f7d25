// Characters of ASCII and UTF-8, and text from outside made fit for a one-line message.
#include "core/base/characters.h"

#include <algorithm>
#include <fmt/format.h>

namespace ropescope {

// Reads and writes UTF-8 one character at a time.

std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(0);
    if (lead < 0x80) {
        return 1;
    }
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() < length) {
        return 0;
    }
    // The second byte's range excludes overlong forms, surrogates and code points over 10FFFF.
    const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (byte(1) < low || byte(1) > high) {
        return 0;
    }
    for (std::size_t i = 2; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80) {
            return 0;
        }
    }
    return length;
}

std::u32string code_points(std::string_view text) {
    std::u32string points;
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const auto lead = static_cast<unsigned char>(text.front());
        // The lead byte of n > 1 bytes holds 7 - n bits, each further byte 6.
        char32_t point = length < 2 ? lead : lead & (0x7FU >> length);
        for (std::size_t i = 1; i < length; ++i) {
            point = point << 6U | (static_cast<unsigned char>(text[i]) & 0x3FU);
        }
        points.push_back(length == 0 ? kReplacementCharacter : point);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return points;
}

std::string to_utf8(std::u32string_view points) {
    std::string text;
    for (const char32_t point : points) {
        const int more = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
        constexpr unsigned kLead[] = {0x00, 0xC0, 0xE0, 0xF0};
        text.push_back(static_cast<char>(kLead[more] | point >> (6 * more)));
        for (int i = more - 1; i >= 0; --i) {
            text.push_back(static_cast<char>(0x80U | (point >> (6 * i) & 0x3FU)));
        }
    }
    return text;
}

// Escapes what a one-line message cannot show.

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
