// What several values make of a scene, and which values lead to one.
#include "app/scene/assignments.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/encoder/encoder_config.h"
#include "core/formats/inspection.h"
#include "core/formats/model_presets.h"

namespace ropescope {
namespace {

bool names(const std::vector<Assignment>& assignments, std::string_view name) {
    return std::ranges::any_of(assignments,
                               [name](const Assignment& a) { return a.parameter->name == name; });
}

/// The scene on a model. What a file says may be beyond what a parameter takes, as a context of
/// 10^12 positions is; it is refused like any other value.
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

/// An encoder's folder with weights is what the attention view shows, too. Whether the weights fit
/// is told there.
Scene with_encoder(Scene scene, const std::string& folder, const Inspection& found) {
    try {
        std::error_code ignored;
        if (!found.files.empty() && std::filesystem::is_directory(folder, ignored) &&
            find_encoder_config(folder)) {
            scene.attention_source = AttentionSource::folder;
            scene.attention_folder = folder;
        }
    } catch (const InputError&) {
        // A config that says enough about RoPE, but is not an encoder's that can be run.
    }
    return scene;
}

/// The scene on a preset by its id or, where the text looks like a path or names something that is
/// there, on what that holds: tensors without a config.json leave the encoding as it is.
Scene with_opened(Scene scene, const std::string& text) {
    std::error_code ignored;
    const bool is_path = text.find('/') != text.npos || text.ends_with(".json") ||
                         std::filesystem::exists(text, ignored);
    if (!is_path) {
        return with_model(std::move(scene), model_preset(text));
    }
    if (const Inspection found = inspect(text); found.model) {
        return with_encoder(with_model_in_range(std::move(scene), *found.model), text, found);
    }
    scene.model = text;
    return scene;
}

/// The assignments that lead from `reached` to `scene`, without those that are already `named`.
std::vector<Assignment> differences(const Scene& scene, const Scene& reached,
                                    const std::vector<Assignment>& named) {
    std::vector<Assignment> missing;
    for (const Parameter& parameter : parameters()) {
        Value value = get_value(scene, parameter);
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

/// Pairs that no longer exist are replaced, unless a person named them.
Scene with_following_pairs(Scene scene, const std::vector<Assignment>& named) {
    Scene followed = with_existing_pairs(scene);
    if (!names(named, "pairs")) {
        scene.pairs = std::move(followed.pairs);
    }
    if (!names(named, "selected_pair")) {
        scene.selected_pair = followed.selected_pair;
    }
    return scene;
}

}  // namespace

Scene with_assignments(Scene scene, const std::vector<Assignment>& assignments) {
    for (const Assignment& given : assignments) {
        if (given.parameter->name == "model") {
            scene = with_opened(std::move(scene), std::get<std::string>(given.value));
        }
    }
    const bool was_fully_rotary = scene.rotary_dim == scene.head_dim;
    for (const Assignment& given : assignments) {
        if (given.parameter->name != "model") {
            scene = with_value(std::move(scene), *given.parameter, given.value, given.text);
        }
    }
    const bool names_rotary_dim = names(assignments, "rotary_dim");
    if (was_fully_rotary && !names_rotary_dim) {
        scene.rotary_dim = scene.head_dim;
    }
    return names_rotary_dim || names(assignments, "head_dim")
               ? with_following_pairs(std::move(scene), assignments)
               : scene;
}

std::vector<Assignment> assignments_to(const Scene& scene) {
    std::vector<Assignment> model;
    if (scene.model != Scene{}.model) {
        model.push_back({&parameter_by_name("model"), Value(scene.model), scene.model});
    }
    const Scene first = model.empty() ? Scene{} : scene_of_model(model.front());
    std::vector<Assignment> values;
    // What follows an assignment can differ again: a few rounds end it, as nothing is named twice.
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
