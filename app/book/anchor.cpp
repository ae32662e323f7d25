// The names of headings.
#include <cctype>

#include "app/book/markdown.h"

namespace ropescope::book {

std::string anchor_of(std::string_view heading) {
    std::string anchor;
    for (const char letter : heading) {
        const auto byte = static_cast<unsigned char>(letter);
        if (letter == ' ') {
            anchor += '-';
        } else if (std::isalnum(byte) != 0 || letter == '-' || letter == '_' || byte >= 0x80) {
            anchor += static_cast<char>(byte < 0x80 ? std::tolower(byte) : letter);
        }
    }
    return anchor;
}

}  // namespace ropescope::book
