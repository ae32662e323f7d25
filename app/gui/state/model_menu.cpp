// Lists the presets of models of one axis and of several, and says what the scene shows.
#include "app/gui/state/model_menu.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/figures/view.h"
#include "app/gui/state/scene_text.h"
#include "app/scene/values.h"
#include "core/formats/presets.h"
#include "core/models/model.h"

namespace ropescope::gui {
namespace {

struct Family {
    const char* name;
    std::vector<std::string_view> in_title;
};

/// By words of the title. What none of them names is among the last, and models of several axes are
/// a family of their own.
const std::vector<Family>& families() {
    static const std::vector<Family> list = {{"Llama", {"Llama", "Vicuna"}},
                                             {"Qwen", {"Qwen"}},
                                             {"Mistral", {"Mistral", "Mixtral"}},
                                             {"Gemma", {"Gemma"}},
                                             {"Phi", {"Phi"}},
                                             {"DeepSeek", {"DeepSeek"}},
                                             {"GPT", {"GPT", "gpt", "Pythia"}},
                                             {"RoFormer", {"RoFormer"}}};
    return list;
}
constexpr const char* kOthers = "Other language models";
constexpr const char* kSeveralAxes = "Images and videos";

std::string family_of(std::string_view title) {
    for (const Family& family : families()) {
        for (const std::string_view word : family.in_title) {
            if (title.find(word) != std::string_view::npos) {
                return family.name;
            }
        }
    }
    return kOthers;
}

std::vector<ModelEntry> all_models() {
    std::vector<ModelEntry> menu;
    for (const ModelConfig& model : model_presets()) {
        menu.push_back({model.id, model.title, family_of(model.title), encoding_facts(model.rope)});
    }
    for (const Preset& preset : several_axes_presets()) {
        const RotaryScheme scheme = open_model(preset.name).part().scheme;
        const auto* grid = std::get_if<GridRule>(&scheme.positions);
        menu.push_back(
            {preset.name, preset.title, kSeveralAxes,
             fmt::format("{} pairs by {}", scheme.pair_count(), fmt::join(scheme.axes, ", ")), true,
             grid != nullptr && grid->square});
    }
    return menu;
}

}  // namespace

std::string control_label(const Parameter& parameter) {
    return label_of(parameter);
}

const std::vector<ModelEntry>& model_menu() {
    static const std::vector<ModelEntry> menu = all_models();
    return menu;
}

const std::vector<std::string>& model_families() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> list;
        for (const Family& family : families()) {
            list.emplace_back(family.name);
        }
        list.emplace_back(kOthers);
        list.emplace_back(kSeveralAxes);
        return list;
    }();
    return names;
}

bool shows_axes_model(const Scene& scene) {
    return scene.view == "axes" ||
           (scene.axis != kNoAxisChosen && figures::view_by_id(scene.view).reads("axis"));
}

namespace {

/// Whether the view computes with an encoder, which is not the scene's model.
bool shows_encoder(const Scene& scene) {
    const figures::View& view = figures::view_by_id(scene.view);
    return view.of_trained_model ||
           (view.reads("attention_source") && view.needs("attention_source", scene));
}

AttentionSource encoder_of(const Scene& scene) {
    return figures::view_by_id(scene.view).of_trained_model ? AttentionSource::demo
                                                            : scene.attention_source;
}

std::string encoder_title(const Scene& scene) {
    switch (encoder_of(scene)) {
        case AttentionSource::demo:
            return "trained RoFormer";
        case AttentionSource::no_position:
            return "twin without positions";
        case AttentionSource::random:
            return "small encoder";
        case AttentionSource::full:
            return "encoder of d2l size";
        case AttentionSource::folder:
            break;
    }
    Scene named = scene;
    named.model = scene.attention_folder;
    return model_title(named);
}

std::string encoder_facts(const Scene& scene) {
    switch (encoder_of(scene)) {
        case AttentionSource::demo:
        case AttentionSource::no_position:
            return "trained on definitions of WordNet";
        case AttentionSource::random:
        case AttentionSource::full:
            return "random weights";
        case AttentionSource::folder:
            break;
    }
    return "checkpoint";
}

/// The parameter that names the rule by which the view numbers tokens, where it reads no model.
const Parameter* position_rule(const Scene& scene) {
    constexpr std::string_view kRule = "positions_family";
    return figures::view_by_id(scene.view).reads(kRule) ? &parameter_by_name(kRule) : nullptr;
}

}  // namespace

std::string shown_title(const Scene& scene) {
    if (const Parameter* const rule = position_rule(scene)) {
        return choice_name(*rule, parameter_text(scene, *rule));
    }
    if (shows_encoder(scene)) {
        return encoder_title(scene);
    }
    if (!shows_axes_model(scene)) {
        return model_title(scene) + (differs_from_preset(scene) ? ", changed" : "");
    }
    const auto entry = std::ranges::find(model_menu(), scene.axes_model, &ModelEntry::id);
    Scene named = scene;
    named.model = scene.axes_model;
    return entry == model_menu().end() ? model_title(named) : entry->title;
}

std::string shown_facts(const Scene& scene) {
    if (position_rule(scene) != nullptr) {
        return "rule of position ids";
    }
    if (shows_encoder(scene)) {
        return encoder_facts(scene);
    }
    if (!shows_axes_model(scene)) {
        return encoding_facts(scene);
    }
    const auto entry = std::ranges::find(model_menu(), scene.axes_model, &ModelEntry::id);
    return entry == model_menu().end() ? "" : entry->facts;
}

bool is_shown(const ModelEntry& entry, const Scene& scene) {
    return entry.id == (shows_axes_model(scene) ? scene.axes_model : scene.model);
}

}  // namespace ropescope::gui
