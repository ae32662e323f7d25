// Follows the path of a key through the objects of a config.json.
#include "core/formats/runtimes/config_path.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

namespace ropescope::runtimes {
namespace {

/// "rope_parameters.rope_theta": the objects that lead to a key, and the key.
std::vector<std::string> parts_of(std::string_view path) {
    std::vector<std::string> parts;
    for (std::size_t dot = 0; (dot = path.find('.')) != std::string_view::npos;
         path.remove_prefix(dot + 1)) {
        parts.emplace_back(path.substr(0, dot));
    }
    parts.emplace_back(path);
    return parts;
}

}  // namespace

std::string leaf_of(std::string_view path) {
    return parts_of(path).back();
}

std::optional<ConfigObject> parent_of(const ConfigObject& config, std::string_view path) {
    const std::vector<std::string> parts = parts_of(path);
    std::optional<ConfigObject> object = config;
    for (std::size_t i = 0; i + 1 < parts.size() && object; ++i) {
        object = object->object(parts[i]);
    }
    return object;
}

bool is_by_layer(const nlohmann::json& object) {
    return std::ranges::any_of(object, [](const auto& value) { return value.is_object(); });
}

}  // namespace ropescope::runtimes
