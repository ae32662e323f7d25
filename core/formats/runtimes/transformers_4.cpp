// Hugging Face transformers 4, read at v4.57.6: rope_theta beside rope_scaling, and rope_parameters
// unknown.
#include <fmt/format.h>

#include "core/formats/runtimes/runtime.h"

namespace ropescope::runtimes {
namespace {

const std::string kRopeUtils4 = "src/transformers/modeling_rope_utils.py";

/// The family with its sources; `folder` is that of its files in the library.
Family in(std::string_view folder, std::string_view config_class, Family family) {
    const std::string path = fmt::format("src/transformers/models/{}/", folder);
    family.config = {fmt::format("{}configuration_{}.py", path, folder),
                     fmt::format("{}.__init__", config_class)};
    family.model.file = fmt::format("{}modeling_{}.py", path, folder);
    if (family.model.function.empty()) {
        family.model.function = "apply_rotary_pos_emb";
    }
    return family;
}

std::vector<ScalingRule> transformers_4_scalings() {
    const auto computed_by = [](const char* function) { return Source{kRopeUtils4, function}; };
    const Keys length = {"@.original_max_position_embeddings", "max_position_embeddings"};
    return {
        {.type = "linear",
         .method = "linear",
         .required = {"factor"},
         .source = computed_by("_compute_linear_scaling_rope_parameters")},
        {.type = "dynamic",
         .method = "dynamic",
         .required = {"factor"},
         .original = {"max_position_embeddings"},
         .source = computed_by("_compute_dynamic_ntk_parameters")},
        {.type = "yarn",
         .method = "yarn",
         .required = {"factor"},
         .optional = {"attention_factor", "beta_fast", "beta_slow", "mscale", "mscale_all_dim",
                      "truncate"},
         .original = length,
         .source = computed_by("_compute_yarn_parameters")},
        {.type = "longrope",
         .method = "longrope",
         .required = {"short_factor", "long_factor"},
         .optional = {"factor", "attention_factor"},
         .original = {"original_max_position_embeddings", "max_position_embeddings"},
         .source = computed_by("_compute_longrope_parameters")},
        {.type = "llama3",
         .method = "llama3",
         .required = {"factor", "low_freq_factor", "high_freq_factor",
                      "original_max_position_embeddings"},
         .source = computed_by("_compute_llama3_parameters")},
    };
}

/// Phi-3's configuration renames what its first files called "su" and "yarn".
std::vector<ScalingRule> phi3_scalings() {
    std::vector<ScalingRule> rules;
    for (const std::string_view type : {"longrope", "su", "yarn"}) {
        rules.push_back({.type = type,
                         .method = "longrope",
                         .required = {"short_factor", "long_factor"},
                         .optional = {"factor", "attention_factor"},
                         .original = {"original_max_position_embeddings"},
                         .source = {"src/transformers/models/phi3/configuration_phi3.py",
                                    "_rope_scaling_adjustment"}});
    }
    return rules;
}

std::vector<Family> families() {
    constexpr auto kInterleaved = Layout::interleaved;
    return {
        in("llama", "LlamaConfig", {.model_type = "llama"}),
        in("mistral", "MistralConfig", {.model_type = "mistral"}),
        in("mixtral", "MixtralConfig", {.model_type = "mixtral", .base = 1e6}),
        in("qwen2", "Qwen2Config", {.model_type = "qwen2"}),
        in("qwen2_moe", "Qwen2MoeConfig", {.model_type = "qwen2_moe"}),
        in("qwen3", "Qwen3Config", {.model_type = "qwen3", .head_dim = 128}),
        in("qwen3_moe", "Qwen3MoeConfig", {.model_type = "qwen3_moe"}),
        in("gemma", "GemmaConfig", {.model_type = "gemma", .head_dim = 256}),
        in("gemma2", "Gemma2Config", {.model_type = "gemma2", .head_dim = 256}),
        in("gemma3", "Gemma3TextConfig",
           {.model_type = "gemma3_text",
            .head_dim = 256,
            .layers = {{"full_attention", {"rope_scaling"}, {"rope_theta"}, 1e6},
                       {"sliding_attention", {}, {"rope_local_base_freq"}, 1e4}}}),
        in("phi", "PhiConfig", {.model_type = "phi", .share = 0.5, .reads_share = Share::read}),
        in("phi3", "Phi3Config",
           {.model_type = "phi3",
            .reads_share = Share::read,
            .original = 4096,
            .scalings = phi3_scalings(),
            .checked = {"longrope", "su", "yarn"}}),
        in("gpt_neox", "GPTNeoXConfig",
           {.model_type = "gpt_neox",
            .share = 0.25,
            .reads_share = Share::read,
            .base_keys = {"rotary_emb_base"},
            .share_keys = {"rotary_pct"}}),
        in("stablelm", "StableLmConfig",
           {.model_type = "stablelm", .share = 0.25, .reads_share = Share::read}),
        in("cohere", "CohereConfig", {.model_type = "cohere", .layout = kInterleaved}),
        in("cohere2", "Cohere2Config",
           {.model_type = "cohere2", .layout = kInterleaved, .no_rope = NoRope::full_attention}),
        in("glm4", "Glm4Config",
           {.model_type = "glm4",
            .layout = kInterleaved,
            .head_dim = 128,
            .share = 0.5,
            .reads_share = Share::read}),
        in("glm4_moe", "Glm4MoeConfig",
           {.model_type = "glm4_moe", .share = 0.5, .reads_share = Share::read}),
        in("olmo2", "Olmo2Config", {.model_type = "olmo2"}),
        in("olmo3", "Olmo3Config",
           {.model_type = "olmo3",
            .layers = {{"full_attention", {"rope_scaling"}, {"rope_theta"}, 1e4},
                       {"sliding_attention", {}, {"rope_theta"}, 1e4}}}),
        in("deepseek_v3", "DeepseekV3Config",
           {.model_type = "deepseek_v3",
            .layout = kInterleaved,
            .head_dim = 64,
            .head_dim_key = "qk_rope_head_dim",
            .layout_key = "rope_interleave",
            .model = {"", "apply_rotary_pos_emb_interleave"}}),
        in("gpt_oss", "GptOssConfig",
           {.model_type = "gpt_oss",
            .base = 150000,
            .head_dim = 64,
            .usual_object = R"({"rope_type":"yarn","factor":32.0,"beta_fast":32.0,)"
                            R"("beta_slow":1.0,"truncate":false,)"
                            R"("original_max_position_embeddings":4096})"}),
        in("llama4", "Llama4TextConfig",
           {.model_type = "llama4_text",
            .layout = kInterleaved,
            .base = 500000,
            .head_dim = 128,
            .checked = {"llama3"},
            .no_rope = NoRope::listed,
            .model = {"", "apply_rotary_emb"}}),
        in("smollm3", "SmolLM3Config",
           {.model_type = "smollm3", .base = 2e6, .no_rope = NoRope::listed}),
        in("granite", "GraniteConfig", {.model_type = "granite"}),
        in("starcoder2", "Starcoder2Config", {.model_type = "starcoder2"}),
    };
}

}  // namespace

Runtime transformers_4() {
    const Source usual{kRopeUtils4, "_compute_default_rope_parameters"};
    return {.name = "transformers-4",
            .repository = "huggingface/transformers",
            .version = "v4.57.6",
            .commit = "753d61104116eefc8ffc977327b441ee0c8d599f",
            .objects = {{"rope_scaling"}, {kRopeUtils4, "ROPE_INIT_FUNCTIONS"}},
            .base = {{"rope_theta"}, usual},
            .share = {{"partial_rotary_factor"}, usual},
            .scalings = transformers_4_scalings(),
            .untyped_scaling = Fate::refused,
            .families = families()};
}

}  // namespace ropescope::runtimes
