// Names a scaling by what it does, and a list by its ends.
#include "core/formats/scaling_words.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ropescope {

std::string scaling_type_text(const nlohmann::ordered_json& scaling) {
    const char* const key = scaling.contains("type") ? "type" : "rope_type";
    const std::string type = scaling.at(key).get<std::string>();
    const bool at_every_length =
        scaling.contains("short_factor") &&
        scaling.at("short_factor") == scaling.value("long_factor", nlohmann::ordered_json());
    return at_every_length ? "a factor for each pair" : type;
}

std::string list_text(const nlohmann::ordered_json& numbers) {
    return numbers.empty() ? "none"
                           : fmt::format("{} .. {}", numbers.front().dump(), numbers.back().dump());
}

}  // namespace ropescope
