#include "core/base/printable.h"

#include <fmt/format.h>

namespace ropescope {
namespace {

/// Bytes of the well-formed UTF-8 character at the front of `text` (Unicode, table 3-7), 0 if none.
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

}  // namespace

std::string printable(std::string_view text, std::size_t limit) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const auto first = static_cast<unsigned char>(text.front());
        const bool plain = length > 1 || (length == 1 && first >= 0x20 && first != 0x7F);
        const std::string piece =
            plain ? std::string(text.substr(0, length)) : fmt::format("\\x{:02x}", first);
        if (out.size() + piece.size() > limit) {
            return out + "...";
        }
        out += piece;
        text.remove_prefix(plain ? length : 1);
    }
    return out;
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t kLongestName = 80;
    return fmt::format("'{}'", printable(text, kLongestName));
}

}  // namespace ropescope
