// Reads name=value and puts the value into a scene.
#include "app/scene/settings.h"

#include <fmt/format.h>
#include <utility>

#include "core/base/error.h"
#include "core/base/parse_list.h"

namespace ropescope {
namespace {

std::pair<std::string, std::string> split_setting(const std::string& setting) {
    const auto equals = setting.find('=');
    if (equals == setting.npos || equals == 0) {
        throw InputError(fmt::format("setting '{}' has no {}; give name=value", setting,
                                     equals == 0 ? "name" : "'='"));
    }
    return {std::string(trimmed(setting.substr(0, equals))), setting.substr(equals + 1)};
}

Assignment parse_assignment(std::string_view name, std::string_view text) {
    const Parameter& parameter = parameter_by_name(name);
    const std::string given(trimmed(text));
    std::optional<Value> value = parse_value(parameter, given);
    if (!value) {
        refuse_value(parameter, given);
    }
    return {&parameter, std::move(*value), given};
}

}  // namespace

Scene apply_settings(Scene scene, const std::vector<std::string>& settings) {
    std::vector<Assignment> assignments;
    for (const std::string& setting : settings) {
        const auto [name, text] = split_setting(setting);
        assignments.push_back(parse_assignment(name, text));
    }
    Scene applied = with_assignments(std::move(scene), assignments);
    require_readable(applied, assignments);
    return applied;
}

}  // namespace ropescope
