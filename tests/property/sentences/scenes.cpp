// Chooses scenes for the test of sentences.
#include "tests/property/sentences/scenes.h"

#include <algorithm>
#include <array>

#include "app/scene/settings.h"
#include "app/scene/sliders.h"
#include "app/scene/values.h"
#include "core/base/error.h"
#include "core/checks/check.h"
#include "core/formats/presets.h"
#include "tests/property/sentences/claims.h"
#include "tests/support/paths.h"

namespace ropescope::figures {
namespace {

using test::Random;

/// So many are drawn from one seed for all runs, and so many from the run's own.
constexpr int kRandomScenes = 100;

/// Values of the parameters whose range is too wide for a test, or is not a range.
std::string random_text(const std::string& name, Random& random) {
    if (name == "attention_tokens") {
        return std::to_string(random.integer(2, 24));
    }
    if (name == "attention_source") {
        return random.pick(
            std::vector<std::string>{"demo", "demo", "no_position", "random", "folder"});
    }
    if (name == "attention_folder") {
        const std::string golden = test::source_dir() + "/tests/golden/";
        return golden +
               random.pick(std::vector<std::string>{"hf_roformer_base", "hf_roformer_variant"});
    }
    if (name == "attention_text") {
        return random.pick(std::vector<std::string>{"word", "a cat and a hat",
                                                    "a [MASK] of the house, and [MASK]."});
    }
    if (name == "positions_layout") {
        return random.pick(some_layouts());
    }
    if (name == "dump") {
        return random.pick(some_dumps());
    }
    if (name == "check_filter") {
        return random.pick(
            std::vector<std::string>{"*", "*", "norm", "claim.00*", "no such check"});
    }
    if (name == "selected_check") {
        return random.pick(all_checks()).id;
    }
    return {};
}

/// The scene with the parameter set to anything that its control allows.
Scene with_random(const Scene& scene, const std::string& name, Random& random) {
    if (const std::string text = random_text(name, random); !text.empty()) {
        return apply_settings(scene, {name + "=" + text});
    }
    const Parameter& parameter = parameter_by_name(name);
    if (!parameter.choices.empty()) {
        return apply_settings(scene, {name + "=" + random.pick(parameter.choices)});
    }
    if (!is_number(parameter)) {
        return scene;
    }
    // The ends of a slider are where titles go wrong.
    const double place =
        random.integer(0, 9) == 0 ? to_double(random.integer(0, 1)) : random.real(0, 1);
    return with_slider(scene, name, slider_value(scene, parameter, place));
}

/// A scene of the map of bases with one of a few widths and targets: each width takes a map, and
/// each target a search among all bases and sums over all its distances.
Scene with_known_map(Scene scene) {
    constexpr std::array<Index, 4> kWidths = {128, 64, 32, 2};
    constexpr std::array<Index, 4> kTargets = {64, 4096, 16384, 65536};
    const auto width =
        std::ranges::find_if(kWidths, [&](Index each) { return each <= scene.rotary_dim; });
    const auto target =
        std::ranges::find_if(kTargets, [&](Index each) { return each >= scene.target_length; });
    scene.rotary_dim = *width;
    scene.target_length = target == kTargets.end() ? kTargets.back() : *target;
    scene.original_length = std::min(scene.original_length, scene.target_length);
    return scene;
}

/// The same, but the scene as it was if it refuses the value, as a layout of tokens refuses seconds
/// that give fractions of steps.
Scene with_random_if_taken(const Scene& scene, const std::string& name, Random& random) {
    try {
        return with_random(scene, name, random);
    } catch (const InputError&) {
        return scene;
    }
}

}  // namespace

std::vector<Scene> scenes_of(const View& view, Random& random) {
    std::vector<Scene> scenes = {{}};
    // No preset enters these, so that one scene stands for all.
    if (view.id != "attention" && view.id != "checks" && view.id != "axes" &&
        view.id != "positions") {
        for (const ModelConfig& model : model_presets()) {
            scenes.push_back(with_model({}, model));
        }
    }
    if (view.id == "axes") {
        const std::vector<Scene> models = scenes_of_several_axes();
        scenes.insert(scenes.end(), models.begin(), models.end());
    }
    for (const std::vector<std::string>& settings : claims_of(view.id).scenes) {
        scenes.push_back(apply_settings({}, settings));
    }
    // Which sentences are said at all must not depend on chance.
    Random same_in_every_run(1);
    for (Random* const source : {&same_in_every_run, &random}) {
        for (int i = 0; i < kRandomScenes; ++i) {
            Scene scene = source->pick(scenes);
            for (const std::string& name : view.parameters) {
                scene =
                    source->integer(0, 2) == 0 ? with_random_if_taken(scene, name, *source) : scene;
            }
            scenes.push_back(scene);
        }
    }
    for (Scene& scene : scenes) {
        scene.view = view.id;
        if (view.id == "context" && scene.context_show == ContextShow::bases) {
            scene = with_known_map(std::move(scene));
        }
    }
    return scenes;
}

}  // namespace ropescope::figures
