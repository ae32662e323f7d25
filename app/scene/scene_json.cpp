// Reads and writes scene files.
#include "app/scene/scene_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/scene/settings.h"
#include "core/base/error.h"
#include "core/formats/json_object.h"

namespace ropescope {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* kVersionKey = "ropescope_scene";

bool is_whole(const Json& json) {
    // Unsigned numbers beyond int64 would wrap around; no parameter accepts them.
    return json.is_number_integer() &&
           (!json.is_number_unsigned() || json.get<std::uint64_t>() <= INT64_MAX);
}

bool is_whole_list(const Json& json) {
    return json.is_array() && std::ranges::all_of(json, is_whole);
}

/// The JSON value as the parameter's type; empty if it has another type.
struct Reader {
    const Parameter& parameter;
    const Json& json;

    std::optional<ParameterValue> operator()(std::int64_t Scene::*) const {
        return is_whole(json) ? std::optional<ParameterValue>(json.get<std::int64_t>())
                              : std::nullopt;
    }
    std::optional<ParameterValue> operator()(double Scene::*) const {
        return json.is_number() ? std::optional<ParameterValue>(json.get<double>()) : std::nullopt;
    }
    std::optional<ParameterValue> operator()(std::string Scene::*) const {
        return json.is_string() ? std::optional<ParameterValue>(json.get<std::string>())
                                : std::nullopt;
    }
    std::optional<ParameterValue> operator()(std::vector<std::int64_t> Scene::*) const {
        return is_whole_list(json)
                   ? std::optional<ParameterValue>(json.get<std::vector<std::int64_t>>())
                   : std::nullopt;
    }
    /// A list of numbers is text in a scene file.
    std::optional<ParameterValue> operator()(std::vector<double> Scene::*) const {
        return json.is_string() ? parse_value(parameter, json.get<std::string>()) : std::nullopt;
    }
    template <Named T>
    std::optional<ParameterValue> operator()(T Scene::*) const {
        return json.is_string() ? std::optional<ParameterValue>(json.get<std::string>())
                                : std::nullopt;
    }
};

/// The value in one short line, whatever the file contains.
std::string excerpt(const Json& json) {
    constexpr std::size_t kMost = 40;
    std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
    if (json.is_string()) {
        text = text.substr(1, text.size() - 2);
    }
    return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

void check_version(const Json& json, const std::string& origin) {
    if (!json.contains(kVersionKey)) {
        throw InputError(fmt::format("{}: no key '{}'; a scene file is an object with \"{}\": {}",
                                     origin, kVersionKey, kVersionKey, kSceneVersion));
    }
    if (json[kVersionKey] != kSceneVersion) {
        throw InputError(fmt::format("{}: {}: '{}' is not a known version; give {}", origin,
                                     kVersionKey, excerpt(json[kVersionKey]), kSceneVersion));
    }
}

Assignment read_assignment(const std::string& key, const Json& json) {
    const Parameter& parameter = parameter_by_name(key);
    std::optional<ParameterValue> value = std::visit(Reader{parameter, json}, parameter.member);
    if (!value) {
        refuse_value(parameter, excerpt(json));
    }
    return {&parameter, std::move(*value), excerpt(json)};
}

}  // namespace

Scene scene_from_json(std::string_view json, const std::string& origin) {
    const Json object = parse_json_object(json, origin);
    check_version(object, origin);
    try {
        std::vector<Assignment> assignments;
        for (const auto& [key, value] : object.items()) {
            if (key != kVersionKey) {
                assignments.push_back(read_assignment(key, value));
            }
        }
        Scene scene = with_assignments({}, assignments);
        require_readable(scene, assignments);
        return scene;
    } catch (const InputError& error) {
        throw InputError(origin + ": " + error.what());
    }
}

std::string scene_to_json(const Scene& scene) {
    Json object = {{kVersionKey, kSceneVersion}};
    for (const Assignment& given : assignments_to(scene)) {
        const bool is_list = std::holds_alternative<std::vector<double>>(given.value);
        object[given.parameter->name] =
            is_list ? Json(given.text)
                    : std::visit([](const auto& value) { return Json(value); }, given.value);
    }
    return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ropescope
