// Escapes what a one-line message cannot show.
#include "core/base/printable.h"

#include <fmt/format.h>

#include "core/base/utf8.h"

namespace ropescope {
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
