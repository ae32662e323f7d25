// Hugging Face transformers 5, read at v5.15.0: everything is gathered in rope_parameters, and a
// rope_scaling in the file takes its place.
#include <algorithm>
#include <utility>

#include "core/formats/runtimes/runtime.h"

namespace ropescope::runtimes {
namespace {

const std::string kRopeUtils5 = "src/transformers/modeling_rope_utils.py";

std::vector<ScalingRule> scalings(std::vector<ScalingRule> rules) {
    for (ScalingRule& rule : rules) {
        if (rule.type == "yarn" || rule.type == "longrope" || rule.type == "llama3") {
            rule.original = {"original_max_position_embeddings",
                             "@.original_max_position_embeddings", "max_position_embeddings"};
        }
        if (rule.type == "llama3") {
            rule.required = {"factor", "low_freq_factor", "high_freq_factor"};
        }
    }
    rules.push_back({.type = "proportional",
                     .method = "proportional",
                     .optional = {"factor", "partial_rotary_factor"},
                     .source = {kRopeUtils5, "_compute_proportional_rope_parameters"}});
    return rules;
}

/// The layers of a family whose types have rotary parameters of their own.
std::vector<LayerRule> layers(double full, Keys sliding_keys, double sliding) {
    Keys local = {"rope_parameters.sliding_attention.rope_theta"};
    local.insert(local.end(), sliding_keys.begin(), sliding_keys.end());
    return {
        {"full_attention",
         {"rope_scaling", "rope_parameters.full_attention"},
         {"rope_scaling.rope_theta", "rope_parameters.full_attention.rope_theta", "rope_theta"},
         full},
        {"sliding_attention", {"rope_parameters.sliding_attention"}, std::move(local), sliding}};
}

/// What is different from transformers 4.
void renew(Family& family) {
    family.config.function = family.config.function.substr(0, family.config.function.find('.'));
    if (family.model_type == "cohere") {
        family.base = 500000;
    } else if (family.model_type == "gpt_neox") {
        family.base_keys = {"@.rope_theta", "rotary_emb_base"};
        family.share_keys = {"@.partial_rotary_factor", "rotary_pct"};
    } else if (family.model_type == "gemma3_text") {
        family.layers = layers(1e6, {"rope_local_base_freq"}, 1e4);
    } else if (family.model_type == "olmo3") {
        // convert_rope_params_to_dict takes rope_theta for the layers with full attention and
        // finds none for the others.
        family.layers = layers(500000, {}, 500000);
    }
    for (ScalingRule& rule : family.scalings) {  // Phi-3's
        rule.original = {"original_max_position_embeddings"};
        rule.source.function = "Phi3Config.convert_rope_params_to_dict";
    }
    if (family.model_type == "llama4_text") {
        family.checked = {};
    }
}

}  // namespace

Runtime transformers_5() {
    const Source convert{kRopeUtils5, "RotaryEmbeddingConfigMixin.convert_rope_params_to_dict"};
    Runtime runtime = transformers_4();
    runtime.name = "transformers-5";
    runtime.version = "v5.15.0";
    runtime.commit = "5eddc12edfaf8cafde8c9bae4ccb12f8a139b4f9";
    runtime.objects = {{"rope_scaling", "rope_parameters"}, convert};
    runtime.base = {{"@.rope_theta", "rope_theta"}, convert};
    runtime.share = {{"@.partial_rotary_factor", "partial_rotary_factor"}, convert};
    runtime.untyped_scaling = Fate::ignored;
    runtime.scalings = scalings(std::move(runtime.scalings));
    std::ranges::for_each(runtime.families, renew);
    return runtime;
}

}  // namespace ropescope::runtimes
