// Looks the names of choices up where the things themselves have them, or in the table below.
#include "app/gui/state/choice_names.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/figures/shared/describe.h"
#include "app/figures/view.h"
#include "app/gui/state/scene_text.h"
#include "app/scene/fault_names.h"
#include "app/scene/sliders.h"
#include "app/scene/values.h"
#include "core/analysis/precision.h"
#include "core/faults/rotation/catalogue.h"
#include "core/formats/presets.h"
#include "core/models/model.h"
#include "core/positions/id_faults.h"
#include "core/systems/system.h"

namespace ropescope::gui {
namespace {

struct Name {
    std::string_view parameter, value, name;
};

/// Choices that nothing else names.
constexpr auto kNames = std::to_array<Name>({
    {"scaling", "proportional", "proportional (Gemma)"},
    {"spectrum_quantity", "inv_freq", "speed"},
    {"content_source", "drawn", "drawn at random"},
    {"content_source", "encoder", "of the encoder"},
    {"attention_source", "demo", "trained RoFormer"},
    {"attention_source", "no_position", "trained without positions"},
    {"attention_source", "random", "small, random"},
    {"attention_source", "full", "d2l size, random"},
    {"attention_source", "folder", "my own"},
    {"attention_compare", "none", "nothing"},
    {"attention_compare", "rope_off", "RoPE off"},
    {"attention_compare", "other_layout", "layout"},
    {"attention_compare", "fast_still", "fast pairs still"},
    {"attention_compare", "slow_still", "slow pairs still"},
    {"attention_compare", "no_position", "twin"},
    {"attention_compare", "reversed", "words reversed"},
    {"dump_fault_in", "q_and_k", "q and k"},
    {"check_family", "all", "all families"},
    {"check_family", "rope", "rotary embedding"},
    {"check_family", "layout", "layouts of channels"},
    {"check_family", "table", "cos and sin table"},
    {"check_family", "axes", "several axes"},
    {"check_family", "positions", "position ids"},
    {"check_family", "engine", "CPU engine"},
    {"check_family", "gpu", "GPU engine"},
    {"check_family", "absolute", "absolute encodings"},
    {"check_family", "systems", "systems of the five texts"},
    {"check_family", "claim", "claims of the five texts"},
    {"check_status", "all", "all"},
    {"axis", "none", "none (the model above)"},
    {"axis", "all", "all axes alike"},
    {"axes_other", "none", "none"},
    {"positions_family", "qwen2_vl", "Qwen2-VL"},
    {"positions_family", "qwen2_5_vl", "Qwen2.5-VL"},
    {"positions_family", "qwen3_vl", "Qwen3-VL"},
    {"positions_family", "glm4v", "GLM-4V"},
    {"positions_family", "videorope", "VideoRoPE"},
    {"positions_family", "ernie4_5_vl", "ERNIE 4.5 VL"},
    {"positions_family", "qwen2_5_omni", "Qwen2.5-Omni"},
    {"positions_family", "qwen3_omni", "Qwen3-Omni"},
    {"positions_compare", "none", "nothing"},
    {"positions_compare", "transformers_4", "transformers 4"},
    {"positions_compare", "transformers_5", "transformers 5"},
    {"dump_fault", "none", "none"},
});

/// "layout.interleaved" reads "interleaved"; "axes_swapped" reads "axes swapped".
std::string without_family(std::string_view code) {
    return spoken(code.substr(code.find('.') + 1), ' ');
}

std::string model_name(std::string_view id) {
    const auto entry = std::ranges::find(model_menu(), id, &ModelEntry::id);
    return entry != model_menu().end() ? entry->title
           : id == kMixedStart         ? "RoPE-ViT mixed, before training"
                                       : std::string(id);
}

}  // namespace

const std::vector<std::string>& listed_values(const Scene& scene, const Parameter& parameter) {
    return parameter.choices.empty() ? offered_values(scene, parameter.name) : parameter.choices;
}

std::string control_label(const Parameter& parameter) {
    return label_of(parameter);
}

std::string choice_name(const Parameter& parameter, std::string_view value) {
    const std::string_view name = parameter.name;
    const auto named = std::ranges::find_if(
        kNames, [&](const Name& n) { return n.parameter == name && n.value == value; });
    if (named != kNames.end()) {
        return std::string(named->name);
    }
    if (name == "scaling") {
        return figures::scaling_name(value);
    }
    if (name == "system_a" || name == "system_b") {
        const auto found = std::ranges::find(all_systems(), value, &System::id);
        return found == all_systems().end() ? std::string(value) : found->title;
    }
    if (name == "precision_chain") {
        const auto found = std::ranges::find(precision_chains(), value, &PrecisionChain::id);
        return found == precision_chains().end() ? std::string(value) : found->title;
    }
    if (name == "axes_model" || name == "axes_other") {
        return model_name(value);
    }
    if (name == "dump_fault") {
        return fault_name(value);
    }
    if (name == "positions_compare") {
        return without_family(value);
    }
    return spoken(value);
}

std::string_view choice_group(const Parameter& parameter, std::string_view value) {
    return parameter.name == "dump_fault" ? fault_group(value) : "";
}

// Lists the presets of models of one axis and of several.

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
