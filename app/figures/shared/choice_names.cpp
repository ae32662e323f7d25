// Looks the names of choices up where the things themselves have them, or in the table below.
#include "app/figures/shared/choice_names.h"

#include <algorithm>
#include <array>

#include "app/figures/shared/describe.h"
#include "app/scene/fault_names.h"
#include "app/scene/sliders.h"
#include "app/scene/values.h"
#include "core/analysis/precision.h"
#include "core/formats/presets.h"
#include "core/models/model.h"
#include "core/systems/system.h"

namespace ropescope::figures {
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
    const auto one = std::ranges::find(model_presets(), id, &ModelConfig::id);
    const auto several = std::ranges::find(several_axes_presets(), id, &Preset::name);
    return one != model_presets().end()              ? one->title
           : several != several_axes_presets().end() ? std::string(several->title)
           : id == kMixedStart                       ? "RoPE-ViT mixed, before training"
                                                     : std::string(id);
}

}  // namespace

const std::vector<std::string>& listed_values(const Scene& scene, const Parameter& parameter) {
    return parameter.choices.empty() ? offered_values(scene, parameter.name) : parameter.choices;
}

std::string choice_name(const Parameter& parameter, std::string_view value) {
    const std::string_view name = parameter.name;
    const auto named = std::ranges::find_if(
        kNames, [&](const Name& n) { return n.parameter == name && n.value == value; });
    if (named != kNames.end()) {
        return std::string(named->name);
    }
    if (name == "scaling") {
        return scaling_name(value);
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

}  // namespace ropescope::figures
