// Hands out the fonts that are compiled in.
#include "app/plot/faces.h"

#include <array>
#include <charconv>

#include "core/base/embedded.h"

namespace ropescope::plot {
namespace {

/// The embedded files in the order of Face.
constexpr std::array<const char*, 3> kFiles = {"assets/fonts/DejaVuSans.ttf",
                                               "assets/fonts/DejaVuSans-Bold.ttf",
                                               "assets/fonts/DejaVuSansMono.ttf"};

}  // namespace

std::string_view face_bytes(Face face) {
    return embedded_file(kFiles[static_cast<std::size_t>(face)]).value();
}

const std::vector<std::pair<char32_t, char32_t>>& face_characters() {
    static const auto characters = [] {
        constexpr int kHexadecimal = 16;
        std::vector<std::pair<char32_t, char32_t>> ranges;
        std::string_view text = embedded_file("assets/fonts/characters.txt").value();
        while (!text.empty()) {
            const std::string_view line = text.substr(0, text.find('\n'));
            text.remove_prefix(std::min(text.size(), line.size() + 1));
            std::uint32_t first = 0, last = 0;
            const auto dash = std::from_chars(line.begin(), line.end(), first, kHexadecimal);
            if (dash.ec == std::errc()) {  // not a remark
                std::from_chars(dash.ptr + 1, line.end(), last, kHexadecimal);
                ranges.emplace_back(first, last);
            }
        }
        return ranges;
    }();
    return characters;
}

}  // namespace ropescope::plot
