// Looks at the words behind a line's name.
#include "core/formats/schemes/type_line.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "core/base/characters.h"

namespace ropescope {

bool is_known_in_line(std::string_view type, std::string_view line) {
    constexpr std::array<std::string_view, 11> kParts = {
        "text", "vision",  "vit",    "model", "encoder",   "transformer",
        "moe",  "thinker", "talker", "code",  "predictor",
    };
    if (!type.starts_with(line)) {
        return false;
    }
    std::string_view rest = type.substr(line.size());
    while (!rest.empty()) {
        if (rest.front() != '_') {
            return false;
        }
        const std::size_t end = std::min(rest.find('_', 1), rest.size());
        if (std::ranges::find(kParts, rest.substr(1, end - 1)) == kParts.end()) {
            return false;
        }
        rest.remove_prefix(end);
    }
    return true;
}

std::string inferred_from_line(std::string_view type, std::string_view line) {
    return fmt::format("model_type {} is not known; inferred: as {}, with whose name it begins",
                       in_quotes(std::string(type)), line);
}

}  // namespace ropescope
