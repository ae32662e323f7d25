// Reads name=value and puts the value into a scene.
#include "app/scene/settings.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "app/scene/axes_grid.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/parse_list.h"
#include "core/encoder/encoder_config.h"

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
    const std::string given(is_number(parameter) ? text : trimmed(text));
    std::optional<ParameterValue> value = parse_value(parameter, given);
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

// Applies several values to a scene, and finds the values that lead to a scene.

namespace {

bool names(const std::vector<Assignment>& assignments, std::string_view name) {
    return std::ranges::any_of(assignments,
                               [name](const Assignment& a) { return a.parameter->name == name; });
}

/// The scene on a model. A file may say what no parameter accepts, such as a context of 10^12
/// positions; that is refused like any other value.
Scene with_model_in_range(Scene scene, const ModelConfig& model) {
    scene = with_model(std::move(scene), model);
    try {
        for (const Parameter& parameter : parameters()) {
            const std::string text = parameter_text(scene, parameter);
            scene = with_value(scene, parameter, get_value(scene, parameter), text);
        }
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}", printable(model.id), error.what()));
    }
    return scene;
}

/// If the folder holds an encoder with weights, the attention view shows it too, and says whether
/// the weights fit.
Scene with_encoder(Scene scene, const std::string& folder, const Model& found) {
    try {
        if (!found.files.empty() && find_encoder_config(found.config)) {
            scene.attention_source = AttentionSource::folder;
            scene.attention_folder = folder;
        }
    } catch (const InputError&) {
        // The config says enough about RoPE, but does not describe an encoder that can be run.
    }
    return scene;
}

/// The scene on a preset or on what a path holds; tensors without a config.json do not change the
/// encoding.
Scene with_opened(Scene scene, const std::string& text) {
    if (const Model found = open_scene_model(text); found.text) {
        scene.axis = kNoAxisChosen;
        if (found.turns_in_several_axes()) {
            scene.axes_model = text;
        }
        return with_encoder(with_model_in_range(std::move(scene), *found.text), text, found);
    }
    scene.model = text;
    return scene;
}

/// The assignments that lead from `reached` to `scene`, without those that are already `named`.
std::vector<Assignment> differences(const Scene& scene, const Scene& reached,
                                    const std::vector<Assignment>& named) {
    std::vector<Assignment> missing;
    for (const Parameter& parameter : parameters()) {
        ParameterValue value = get_value(scene, parameter);
        if (value != get_value(reached, parameter) && !names(named, parameter.name)) {
            missing.push_back({&parameter, std::move(value), parameter_text(scene, parameter)});
        }
    }
    return missing;
}

Scene scene_of_model(const Assignment& model) {
    try {
        return with_assignments({}, {model});
    } catch (const InputError&) {
        return {};
    }
}

}  // namespace

Scene with_assignments(Scene scene, const std::vector<Assignment>& assignments) {
    for (const Assignment& given : assignments) {
        if (given.parameter->name == "model") {
            scene = with_opened(std::move(scene), std::get<std::string>(given.value));
        }
    }
    const bool was_fully_rotary = scene.rotary_dim == scene.head_dim;
    std::vector<std::string_view> changed;
    for (const Assignment& given : assignments) {
        if (given.parameter->name != "model") {
            scene = with_value(std::move(scene), *given.parameter, given.value, given.text);
            changed.push_back(given.parameter->name);
        }
    }
    return with_followers(std::move(scene), was_fully_rotary, changed);
}

void require_readable(const Scene& scene, const std::vector<Assignment>& assignments) {
    for (const Assignment& given : assignments) {
        if (given.parameter->name == "axes_grid") {
            patch_grid(scene);
        } else if (given.parameter->name.starts_with("positions_")) {
            id_plan(scene);
        }
    }
}

std::vector<Assignment> assignments_to(const Scene& scene) {
    std::vector<Assignment> model;
    if (scene.model != Scene{}.model) {
        model.push_back({&parameter_by_name("model"), ParameterValue(scene.model), scene.model});
    }
    const Scene first = model.empty() ? Scene{} : scene_of_model(model.front());
    std::vector<Assignment> values;
    // What follows from an assignment can differ again, so there are several rounds; they end
    // because nothing is named twice.
    for (Scene reached = first;;) {
        reached.model = scene.model;
        const std::vector<Assignment> more = differences(scene, reached, values);
        if (more.empty()) {
            break;
        }
        values.insert(values.end(), more.begin(), more.end());
        reached = with_assignments(first, values);
    }
    model.insert(model.end(), values.begin(), values.end());
    return model;
}

}  // namespace ropescope
