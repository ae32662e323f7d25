#include "app/gui/text_lines.h"

namespace ropescope::gui {
namespace {

bool continues_character(char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U;
}

}  // namespace

std::string fitted(std::string_view text, double width, const plot::TextStyle& style,
                   plot::Painter& metrics) {
    if (metrics.text_size(text, style).x <= width) {
        return std::string(text);
    }
    std::string cut(text);
    while (!cut.empty()) {
        while (!cut.empty() && continues_character(cut.back())) {
            cut.pop_back();
        }
        if (!cut.empty()) {
            cut.pop_back();
        }
        while (cut.ends_with(' ')) {
            cut.pop_back();
        }
        if (metrics.text_size(cut + "…", style).x <= width) {
            return cut + "…";
        }
    }
    return "";
}

std::vector<std::string> wrapped(std::string_view text, double width, const plot::TextStyle& style,
                                 plot::Painter& metrics) {
    std::vector<std::string> lines;
    std::string line;
    while (!text.empty()) {
        const std::size_t space = text.find(' ');
        const std::string_view word = text.substr(0, space);
        text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
        std::string longer = line.empty() ? std::string(word) : line + " " + std::string(word);
        if (!line.empty() && metrics.text_size(longer, style).x > width) {
            lines.push_back(std::move(line));
            longer = word;
        }
        line = std::move(longer);
    }
    if (!line.empty()) {
        lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace ropescope::gui
