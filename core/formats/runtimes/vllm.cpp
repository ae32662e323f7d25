// vLLM, read at commit 017e9f4: its configurations are those of transformers 5 (since v0.24.0 it
// takes no older ones), and get_rope makes its own of the scaling.
#include <algorithm>
#include <fmt/format.h>

#include "core/formats/runtimes/runtime.h"

namespace ropescope::runtimes {
namespace {

const Source kGetRope{"vllm/model_executor/layers/rotary_embedding/__init__.py", "get_rope"};

/// Which file builds the model of a model_type.
struct Built {
    std::string_view model_type, file;
};

/// Those of which the registry says "transformers" are run by that library's own modules.
constexpr std::string_view kBackend = "transformers";
constexpr Built kBuilt[] = {
    {"llama", "llama"},
    {"mistral", "mistral"},
    {"mixtral", "mixtral"},
    {"qwen2", "qwen2"},
    {"qwen2_moe", "qwen2_moe"},
    {"qwen3", "qwen3"},
    {"qwen3_moe", "qwen3_moe"},
    {"gemma", "gemma"},
    {"gemma2", "gemma2"},
    {"gemma3_text", "gemma3"},
    {"phi", "phi"},
    {"phi3", "phi3"},
    {"gpt_neox", "gpt_neox"},
    {"stablelm", "stablelm"},
    {"cohere", "commandr"},
    {"cohere2", "commandr"},
    {"glm4", "glm4"},
    {"glm4_moe", "glm4_moe"},
    {"olmo2", kBackend},
    {"olmo3", "olmo3"},
    {"deepseek_v3", "deepseek_v2"},
    {"gpt_oss", "gpt_oss"},
    {"llama4_text", "llama4"},
    {"smollm3", kBackend},
    {"granite", "granite"},
    {"starcoder2", kBackend},
};

std::vector<ScalingRule> vllm_scalings() {
    const Keys length = {"original_max_position_embeddings", "@.original_max_position_embeddings",
                         "max_position_embeddings"};
    const auto longrope = [&](std::string_view type) {
        return ScalingRule{.type = type,
                           .method = "longrope",
                           .required = {"short_factor", "long_factor"},
                           .optional = {"short_mscale", "long_mscale"},
                           .original = length,
                           .source = kGetRope};
    };
    return {
        {.type = "linear", .method = "linear", .required = {"factor"}, .source = kGetRope},
        {.type = "dynamic",
         .method = "dynamic",
         .required = {"factor"},
         .optional = {"max_trained_positions"},
         .original = {"max_position_embeddings"},
         .source = kGetRope},
        {.type = "ntk",
         .method = "ntk",
         .required = {"factor"},
         .optional = {"mixed_b"},
         .source = kGetRope},
        {.type = "yarn",
         .method = "yarn",
         .required = {"factor"},
         .optional = {"extrapolation_factor", "attn_factor", "beta_fast", "beta_slow", "truncate"},
         .original = length,
         .source = kGetRope},
        longrope("longrope"),
        longrope("su"),  // patch_legacy_rope_type
        {.type = "llama3",
         .method = "llama3",
         .required = {"factor", "low_freq_factor", "high_freq_factor"},
         .original = length,
         .source = kGetRope},
        {.type = "proportional",
         .method = "proportional",
         .optional = {"partial_rotary_factor"},
         .source = kGetRope},
    };
}

/// DeepSeek's model takes every scaling for its own YaRN.
std::vector<ScalingRule> deepseek_scalings() {
    return {{.type = "yarn",
             .method = "yarn",
             .required = {"factor"},
             .optional = {"extrapolation_factor", "attn_factor", "beta_fast", "beta_slow", "mscale",
                          "mscale_all_dim"},
             .original = {"original_max_position_embeddings", "@.original_max_position_embeddings",
                          "max_position_embeddings"},
             .source = {"vllm/model_executor/models/deepseek_v2.py", "DeepseekV2MLAAttention"}}};
}

/// Those of the library's own modules; vLLM renames "su" before they see it.
std::vector<ScalingRule> scalings_of(const Runtime& library) {
    std::vector<ScalingRule> rules = library.scalings;
    rules.push_back(*std::ranges::find(rules, "longrope", &ScalingRule::type));
    rules.back().type = "su";
    for (ScalingRule& rule : rules) {
        rule.source = in_library(library, rule.source);
    }
    return rules;
}

Family family_of(const Built& built, const Runtime& library) {
    Family family = *std::ranges::find(library.families, built.model_type, &Family::model_type);
    family.config = in_library(library, family.config);
    if (built.file == kBackend) {
        family.model = {"vllm/model_executor/models/registry.py", "TransformersForCausalLM"};
        family.scalings = scalings_of(library);
        family.only_own_scalings = true;
        return family;
    }
    family.model = {fmt::format("vllm/model_executor/models/{}.py", built.file), "get_rope"};
    family.reads_share = Share::read;
    family.layout_key = {};  // the order of the channels belongs to the model's file
    family.scalings = {};
    if (built.model_type == "deepseek_v3") {
        family.scalings = deepseek_scalings();
        family.checked = {"yarn"};
    } else if (built.model_type == "gpt_oss") {
        family.checked = {"yarn"};
    }
    return family;
}

}  // namespace

Runtime vllm() {
    Runtime runtime = transformers_5();
    const Runtime library = runtime;
    runtime.name = "vllm";
    runtime.repository = "vllm-project/vllm";
    runtime.version = "2026-08-17";
    runtime.commit = "017e9f4448b700e85ee16023287b025693c72b9e";
    for (Lookup* lookup : {&runtime.objects, &runtime.base, &runtime.share}) {
        lookup->source = in_library(library, lookup->source);
    }
    runtime.scalings = vllm_scalings();
    runtime.families.clear();
    for (const Built& built : kBuilt) {
        runtime.families.push_back(family_of(built, library));
    }
    return runtime;
}

}  // namespace ropescope::runtimes
