// The scene file: {"ropescope_scene": 1, "base": 500000.0, ...}.
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/scene/parameters.h"
#include "app/scene/scene.h"
#include "app/scene/values.h"
#include "core/base/error.h"

namespace ropescope {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* kVersionKey = "ropescope_scene";

bool is_whole(const Json& json) {
    // Unsigned numbers beyond int64 would wrap; they are out of every range.
    return json.is_number_integer() &&
           (!json.is_number_unsigned() || json.get<std::uint64_t>() <= INT64_MAX);
}

bool is_whole_list(const Json& json) {
    bool whole = json.is_array();
    for (std::size_t i = 0; whole && i < json.size(); ++i) {
        whole = is_whole(json[i]);
    }
    return whole;
}

/// The JSON value as the parameter's type; none when it has another type.
struct Reader {
    const Json& json;
    std::optional<Value> operator()(std::int64_t Scene::*) const {
        return is_whole(json) ? std::optional<Value>(json.get<std::int64_t>()) : std::nullopt;
    }
    std::optional<Value> operator()(double Scene::*) const {
        return json.is_number() ? std::optional<Value>(json.get<double>()) : std::nullopt;
    }
    std::optional<Value> operator()(std::string Scene::*) const {
        return json.is_string() ? std::optional<Value>(json.get<std::string>()) : std::nullopt;
    }
    std::optional<Value> operator()(std::vector<std::int64_t> Scene::*) const {
        return is_whole_list(json) ? std::optional<Value>(json.get<std::vector<std::int64_t>>())
                                   : std::nullopt;
    }
};

/// One short line, whatever is in the file.
std::string excerpt(const Json& json) {
    constexpr std::size_t kMost = 40;
    std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
    if (json.is_string()) {
        text = text.substr(1, text.size() - 2);
    }
    return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

Json parse(std::string_view text, const std::string& origin) {
    try {
        return Json::parse(text);
    } catch (const nlohmann::json::parse_error& error) {
        throw InputError(
            fmt::format("{}: not JSON at byte {}; give a scene file, {{\"{}\": {}, ...}}", origin,
                        error.byte, kVersionKey, kSceneVersion));
    } catch (const nlohmann::json::exception&) {
        throw InputError(
            fmt::format("{}: holds a number too large to read; see --help for the "
                        "parameters' ranges",
                        origin));
    }
}

void check_version(const Json& json, const std::string& origin) {
    const bool has_version = json.is_object() && json.contains(kVersionKey);
    if (!has_version) {
        throw InputError(fmt::format("{}: no key '{}'; a scene file is an object with \"{}\": {}",
                                     origin, kVersionKey, kVersionKey, kSceneVersion));
    }
    if (json[kVersionKey] != kSceneVersion) {
        throw InputError(fmt::format("{}: {}: '{}' is not a version that is known here; give {}",
                                     origin, kVersionKey, excerpt(json[kVersionKey]),
                                     kSceneVersion));
    }
}

Scene with_json(Scene scene, const std::string& key, const Json& json) {
    const Parameter& parameter = parameter_by_name(key);
    std::optional<Value> value = std::visit(Reader{json}, parameter.member);
    if (!value) {
        refuse_value(parameter, excerpt(json));
    }
    return with_value(std::move(scene), parameter, std::move(*value), excerpt(json));
}

}  // namespace

std::string scene_to_json(const Scene& scene) {
    const Scene defaults;
    Json json{{kVersionKey, kSceneVersion}};
    for (const Parameter& parameter : parameters()) {
        const Value value = get_value(scene, parameter);
        if (value != get_value(defaults, parameter)) {
            std::visit([&](const auto& known) { json[parameter.name] = known; }, value);
        }
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Scene scene_from_json(std::string_view json, const std::string& origin) {
    const Json object = parse(json, origin);
    check_version(object, origin);
    Scene scene;
    for (const auto& [key, value] : object.items()) {
        if (key == kVersionKey) {
            continue;
        }
        try {
            scene = with_json(std::move(scene), key, value);
        } catch (const InputError& error) {
            throw InputError(origin + ": " + error.what());
        }
    }
    return scene;
}

}  // namespace ropescope
