// Changes one value of a scene, and writes scene files.
#include "tests/support/scenes.h"

#include <nlohmann/json.hpp>

#include "app/scene/scene_json.h"
#include "app/scene/settings.h"

namespace ropescope::test {

Scene with_one_value(Scene scene, std::string_view parameter, std::string_view text) {
    const Parameter& row = parameter_by_name(parameter);
    const std::string given(text);
    const std::optional<ParameterValue> value = parse_value(row, given);
    if (!value) {
        refuse_value(row, given);
    }
    return with_value(std::move(scene), row, *value, given);
}

std::string scene_file(const Scene& scene) {
    nlohmann::ordered_json json{{"ropescope_scene", kSceneVersion}};
    for (const Assignment& given : assignments_to(scene)) {
        std::visit(
            [&](const auto& value) {
                // A list of numbers is text in a scene file.
                constexpr bool is_text =
                    std::is_same_v<std::decay_t<decltype(value)>, std::vector<double>>;
                auto& entry = json[given.parameter->name];
                if constexpr (is_text) {
                    entry = given.text;
                } else {
                    entry = value;
                }
            },
            given.value);
    }
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace ropescope::test
