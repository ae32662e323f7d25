// The rows of the model families.
#include "core/formats/model_family.h"

#include <algorithm>
#include <array>

namespace ropescope {
namespace {

constexpr auto kInterleaved = Layout::interleaved;
constexpr std::string_view kLinearAttention = "the layers with linear attention turn nothing";

constexpr LayerKind kGemma3Layers[] = {
    {.type = kFullAttention},
    {.type = kSlidingAttention,
     .local = true,
     .scaled = false,
     .base_key = "rope_local_base_freq",
     .base = 10000},
};
constexpr LayerKind kGemma4Layers[] = {
    {.type = kFullAttention, .head_dim_key = "global_head_dim", .head_dim = 512},
    kGemma3Layers[1],
};
constexpr LayerKind kModernBertLayers[] = {
    {.type = kFullAttention},
    {.type = kSlidingAttention, .local = true, .base_key = "local_rope_theta", .base = 10000},
};
constexpr LayerKind kOlmo3Layers[] = {
    {.type = kFullAttention},
    {.type = kSlidingAttention, .local = true, .scaled = false},
};

// Read from configuration_<type>.py (keys, defaults) and modeling_<type>.py (rotate_half: which
// channels pair) of Hugging Face transformers, or of the model's own folder where it is not there;
// assets/model_families.md says from where. half_split and rope_theta = 10000 go unsaid.
constexpr std::array kFamilies = {
    ModelFamily{.model_type = "llama", .text = {4096, 32, 0}},
    ModelFamily{.model_type = "mistral", .text = {4096, 32, 8}},
    ModelFamily{.model_type = "ministral", .text = {4096, 32, 8}},
    ModelFamily{.model_type = "ministral3",
                .base = 1e6,
                .head_dim = 128,
                .text = {4096, 32, 8},
                .default_parameters =
                    R"({"rope_type":"yarn","rope_theta":1000000.0,"factor":16.0,)"
                    R"("original_max_position_embeddings":16384,"beta_fast":32.0,)"
                    R"("beta_slow":1.0,"mscale":1.0,"mscale_all_dim":1.0,)"
                    R"("llama_4_scaling_beta":0.1})"},
    ModelFamily{.model_type = "mixtral", .base = 1e6, .text = {4096, 32, 8}},
    ModelFamily{.model_type = "qwen2", .text = {4096, 32, 32}},
    ModelFamily{.model_type = "qwen2_moe"},
    ModelFamily{.model_type = "qwen2_vl", .base = 1e6},
    ModelFamily{.model_type = "qwen2_vl_text", .base = 1e6, .text = {8192, 64, 8}},
    ModelFamily{.model_type = "qwen2_5_vl", .base = 1e6},
    ModelFamily{.model_type = "qwen2_5_vl_text", .base = 1e6},
    ModelFamily{.model_type = "qwen3", .head_dim = 128},
    ModelFamily{.model_type = "qwen3_moe"},
    ModelFamily{.model_type = "qwen3_vl_text", .base = 500000, .head_dim = 128},
    ModelFamily{
        .model_type = "qwen3_next", .factor = 0.25, .head_dim = 256, .note = kLinearAttention},
    ModelFamily{
        .model_type = "qwen3_5_text", .factor = 0.25, .head_dim = 256, .note = kLinearAttention},
    ModelFamily{.model_type = "qwen3_5_moe_text",
                .factor = 0.25,
                .head_dim = 256,
                .note = kLinearAttention},
    // Qwen before it joined the library.
    ModelFamily{.model_type = "qwen",
                .base_key = "rotary_emb_base",
                .factor_key = "rotary_pct",
                .head_dim_key = "kv_channels",
                .note = "use_dynamic_ntk and use_logn_attn, for longer sequences, are not read"},
    ModelFamily{.model_type = "gemma", .head_dim = 256, .text = {3072, 16, 16}},
    ModelFamily{.model_type = "gemma2", .head_dim = 256, .text = {2304, 8, 4}},
    ModelFamily{.model_type = "gemma3_text",
                .base = 1e6,
                .head_dim = 256,
                .heads = 8,
                .kv_heads = 4,
                .positions = 131072,
                .layer_kinds = kGemma3Layers,
                .period_key = "sliding_window_pattern",
                .period = 6},
    ModelFamily{.model_type = "gemma3n_text",
                .base = 1e6,
                .head_dim = 256,
                .heads = 8,
                .kv_heads = 2,
                .positions = 32768,
                .layer_kinds = kGemma3Layers,
                .period = 5},
    ModelFamily{.model_type = "gemma4_text",
                .base = 1e6,
                .head_dim = 256,
                .heads = 8,
                .kv_heads = 4,
                .positions = 131072,
                .default_parameters =
                    R"({"full_attention":{"rope_type":"proportional","rope_theta":1000000.0,)"
                    R"("partial_rotary_factor":0.25},"sliding_attention":)"
                    R"({"rope_type":"default","rope_theta":10000.0}})",
                .layer_kinds = kGemma4Layers,
                .period = 6,
                .last_is_full = true},
    ModelFamily{.model_type = "modernbert",
                .base_key = "global_rope_theta",
                .base = 160000,
                .head_dim_key = "",
                .heads = 12,
                .positions = 8192,
                .layer_kinds = kModernBertLayers,
                .period_key = "global_attn_every_n_layers",
                .period = 3,
                .period_starts_full = true},
    ModelFamily{.model_type = "phi", .factor = 0.5},
    ModelFamily{.model_type = "phi3", .original_positions = 4096},
    ModelFamily{.model_type = "phi4_multimodal", .original_positions = 4096},
    ModelFamily{.model_type = "phimoe", .base = 1e6, .mscale_by_length = true},
    ModelFamily{.model_type = "gpt_neox",
                .base_key = "rotary_emb_base",
                .factor_key = "rotary_pct",
                .factor = 0.25},
    ModelFamily{.model_type = "gpt_neox_japanese",
                .base_key = "rotary_emb_base",
                .factor_key = "rotary_pct"},
    ModelFamily{.model_type = "gptj",
                .layout = kInterleaved,
                .base_key = "",
                .factor_key = "",
                .width_key = "rotary_dim",
                .width = 64},
    ModelFamily{.model_type = "codegen",
                .layout = kInterleaved,
                .base_key = "",
                .factor_key = "",
                .width_key = "rotary_dim",
                .width = 64},
    ModelFamily{.model_type = "falcon", .condition_key = "alibi", .condition_value = "false"},
    // Falcon before it joined the library.
    ModelFamily{.model_type = "RefinedWeb", .condition_key = "alibi", .condition_value = "false"},
    ModelFamily{
        .model_type = "RefinedWebModel", .condition_key = "alibi", .condition_value = "false"},
    ModelFamily{.model_type = "stablelm", .factor = 0.25},
    ModelFamily{.model_type = "persimmon", .base = 25000, .factor = 0.5},
    ModelFamily{.model_type = "nemotron", .factor = 0.5},
    ModelFamily{.model_type = "roformer",
                .layout = kInterleaved,
                .base_key = "",
                .factor_key = "",
                .head_dim_key = ""},
    ModelFamily{.model_type = "esm",
                .base_key = "",
                .factor_key = "",
                .condition_key = "position_embedding_type",
                .condition_value = "\"rotary\"",
                .condition_missing = MissingCondition::assumed},
    ModelFamily{.model_type = "nomic_bert",
                .base_key = "rotary_emb_base",
                .factor_key = "rotary_emb_fraction",
                .layout_key = "rotary_emb_interleaved"},
    ModelFamily{.model_type = "cohere", .layout = kInterleaved, .base = 500000},
    ModelFamily{.model_type = "cohere2",
                .layout = kInterleaved,
                .note = "the layers with full attention use no position embedding"},
    ModelFamily{.model_type = "exaone4",
                .note = "where there is a sliding_window, the layers with full attention use no "
                        "position embedding"},
    // ChatGLM 2, 3 and GLM-4 before they joined the library: half of the head, in pairs.
    ModelFamily{.model_type = "chatglm",
                .layout = kInterleaved,
                .base_key = "",
                .base_ratio_key = "rope_ratio",
                .factor_key = "",
                .factor = 0.5,
                .head_dim_key = "kv_channels"},
    ModelFamily{.model_type = "glm", .layout = kInterleaved, .factor = 0.5, .head_dim = 128},
    ModelFamily{.model_type = "glm4", .layout = kInterleaved, .factor = 0.5, .head_dim = 128},
    ModelFamily{.model_type = "glm4_moe", .factor = 0.5},
    ModelFamily{.model_type = "olmo"},
    ModelFamily{.model_type = "olmo2"},
    ModelFamily{.model_type = "olmoe"},
    // The layers with sliding attention keep the base and are not scaled.
    ModelFamily{.model_type = "olmo3", .base = 500000, .layer_kinds = kOlmo3Layers, .period = 4},
    // Only the part of the head that carries positions: the other qk_nope_head_dim channels stand
    // before it and are not counted in head_dim here.
    ModelFamily{.model_type = "deepseek_v2",
                .layout = kInterleaved,
                .head_dim_key = "qk_rope_head_dim",
                .head_dim = 64,
                .scales_softmax = true},
    ModelFamily{.model_type = "deepseek_v3",
                .layout = kInterleaved,
                .head_dim_key = "qk_rope_head_dim",
                .head_dim = 64,
                .layout_key = "rope_interleave",
                .scales_softmax = true},
    // Kimi K2's own modeling_deepseek.py.
    ModelFamily{.model_type = "kimi_k2",
                .layout = kInterleaved,
                .head_dim_key = "qk_rope_head_dim",
                .head_dim = 64,
                .scales_softmax = true},
    ModelFamily{.model_type = "gpt_oss",
                .base = 150000,
                .head_dim = 64,
                .default_parameters =
                    R"({"rope_type":"yarn","factor":32.0,"beta_fast":32.0,"beta_slow":1.0,)"
                    R"("truncate":false,"original_max_position_embeddings":4096})"},
    ModelFamily{.model_type = "ernie4_5", .layout = kInterleaved, .base = 500000, .head_dim = 128},
    ModelFamily{.model_type = "ernie4_5_moe", .layout = kInterleaved, .base = 500000},
    ModelFamily{.model_type = "helium", .layout = kInterleaved, .base = 100000, .head_dim = 128},
    ModelFamily{.model_type = "llama4_text",
                .layout = kInterleaved,
                .base = 500000,
                .head_dim = 128,
                .llama3_may_step = true,
                .no_rope_list_key = "no_rope_layers",
                .no_rope_interval_key = "no_rope_layer_interval",
                .note = "attn_temperature_tuning scales queries in layers without position "
                        "embedding"},
    ModelFamily{.model_type = "mllama_text_model", .base = 500000},
    ModelFamily{.model_type = "smollm3",
                .base = 2e6,
                .no_rope_list_key = "no_rope_layers",
                .no_rope_interval_key = "no_rope_layer_interval"},
    ModelFamily{.model_type = "apertus",
                .base = 12e6,
                .default_parameters = R"({"rope_type":"llama3","rope_theta":12000000.0,)"
                                      R"("factor":8.0,"original_max_position_embeddings":8192,)"
                                      R"("low_freq_factor":1.0,"high_freq_factor":4.0})"},
    ModelFamily{.model_type = "arcee"},
    ModelFamily{.model_type = "bamba", .factor_key = "", .factor = 0.5},
    ModelFamily{.model_type = "dbrx", .heads_key = "n_heads", .attention_object = "attn_config"},
    ModelFamily{.model_type = "dots1"},
    ModelFamily{.model_type = "hunyuan_v1_dense"},
    ModelFamily{.model_type = "lfm2", .base = 1e6, .note = "the convolutions turn nothing"},
    ModelFamily{
        .model_type = "minimax", .base = 1e6, .width_key = "rotary_dim", .note = kLinearAttention},
    ModelFamily{
        .model_type = "minimax_m2", .base = 5e6, .width_key = "rotary_dim", .head_dim = 128},
    ModelFamily{.model_type = "seed_oss", .head_dim = 128},
    ModelFamily{.model_type = "internlm2"},
    // The 13B models bear the same name, have ALiBi and do not state this length.
    ModelFamily{.model_type = "baichuan",
                .base_key = "",
                .factor_key = "",
                .condition_key = "max_position_embeddings",
                .condition_missing = MissingCondition::refused},
    ModelFamily{.model_type = "starcoder2"},
    ModelFamily{.model_type = "granite"},
    ModelFamily{.model_type = "granitemoe"},
    ModelFamily{.model_type = "granitemoehybrid",
                .condition_key = "position_embedding_type",
                .condition_value = "\"rope\"",
                .condition_missing = MissingCondition::refused},
    // Its arguments also have head_dim and num_attention_heads, which its attention does not read:
    // it divides hidden_size by n_heads.
    ModelFamily{.model_type = kNotebookType,
                .layout = kInterleaved,
                .base_key = "rope_base",
                .factor_key = "",
                .heads_key = "n_heads",
                .head_dim_key = ""},
};

}  // namespace

std::span<const ModelFamily> model_families() {
    return kFamilies;
}

const ModelFamily* find_model_family(std::string_view model_type) {
    const auto* const found =
        std::find_if(kFamilies.begin(), kFamilies.end(),
                     [&](const ModelFamily& family) { return family.model_type == model_type; });
    return found == kFamilies.end() ? nullptr : found;
}

}  // namespace ropescope
