// Writes a row's method as a block for config.json, whole or in short lines.
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/figures/context/notes.h"
#include "core/formats/rope_scaling.h"

namespace ropescope::figures {
namespace {

/// The text in lines of at most `widest` characters, broken after commas.
std::vector<std::string> broken(const std::string& text, std::size_t widest) {
    std::vector<std::string> lines;
    std::string line;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size() - 1);
        std::string part = text.substr(at, comma + 1 - at);
        if (line == "  ") {
            part.erase(0, part.find_first_not_of(' '));
        }
        if (!line.empty() && line.size() + part.size() > widest) {
            lines.push_back(line);
            line = "  ";
        }
        line += part;
        at = comma + 1;
    }
    lines.push_back(line);
    return lines;
}

/// The text with the first and the last number of each list: a picture has no room for the numbers
/// of all pairs.
std::string with_short_lists(const std::string& block) {
    std::string text;
    for (std::size_t at = 0; at < block.size();) {
        const std::size_t open = std::min(block.find('[', at), block.size());
        text += block.substr(at, open - at);
        if (open == block.size()) {
            break;
        }
        const std::size_t close = block.find(']', open);
        const std::string list = block.substr(open, close - open);
        const auto commas = std::ranges::count(list, ',');
        text += fmt::format("{} … {} numbers …{}]", list.substr(0, list.find(',')), commas + 1,
                            list.substr(list.rfind(',') + 1));
        at = close + 1;
    }
    return text;
}

}  // namespace

std::string rope_scaling_block(const MethodRow& row, std::string_view base_key) {
    if (std::holds_alternative<NtkScaling>(row.spec.scaling)) {
        // transformers has no name for NTK: the larger base is the whole method. "default" is
        // written because some families scale by themselves if their file names no scaling.
        return fmt::format("\"{}\": {:.17g}, \"rope_scaling\": {{\"rope_type\": \"default\"}}",
                           base_key, row.base());
    }
    std::string text;
    if (const auto* dynamic = std::get_if<DynamicNtkScaling>(&row.spec.scaling)) {
        text = fmt::format("\"max_position_embeddings\": {}, ", dynamic->original_positions);
    }
    text += "\"rope_scaling\": ";
    for (const char c : scaling_json(row.spec.scaling).dump()) {
        text += c;
        text += c == ',' || c == ':' ? " " : "";  // no string in it has either character
    }
    return text;
}

std::vector<std::string> block_lines(const std::string& block, std::size_t widest) {
    return broken(with_short_lists(block), widest);
}

}  // namespace ropescope::figures
