#include "core/formats/model_family.h"

#include <algorithm>
#include <array>

namespace ropescope {
namespace {

constexpr auto kInterleaved = Layout::interleaved;

// Read from configuration_<type>.py (keys, defaults) and modeling_<type>.py (rotate_half: which
// channels pair) of Hugging Face transformers. half_split and rope_theta = 10000 go unsaid.
constexpr std::array kFamilies = {
    ModelFamily{.model_type = "llama"},
    ModelFamily{.model_type = "mistral"},
    ModelFamily{.model_type = "mixtral", .base = 1e6},
    ModelFamily{.model_type = "qwen2"},
    ModelFamily{.model_type = "qwen2_moe"},
    ModelFamily{.model_type = "qwen3", .head_dim = 128},
    ModelFamily{.model_type = "qwen3_moe"},
    ModelFamily{.model_type = "gemma", .head_dim = 256},
    ModelFamily{.model_type = "gemma2", .head_dim = 256},
    ModelFamily{.model_type = "gemma3_text",
                .base = 1e6,
                .head_dim = 256,
                .heads = 8,
                .kv_heads = 4,
                .positions = 131072,
                .local_base_key = "rope_local_base_freq",
                .period_key = "sliding_window_pattern",
                .period = 6},
    ModelFamily{.model_type = "gemma3n_text",
                .base = 1e6,
                .head_dim = 256,
                .heads = 8,
                .kv_heads = 2,
                .positions = 32768,
                .local_base_key = "rope_local_base_freq",
                .period = 5},
    ModelFamily{.model_type = "gemma4_text",
                .base = 1e6,
                .head_dim = 256,
                .local_base_key = "rope_local_base_freq",
                .period_key = "sliding_window_pattern",
                .period = 6,
                .global_head_dim_key = "global_head_dim",
                .global_head_dim = 512},
    ModelFamily{.model_type = "modernbert",
                .base_key = "global_rope_theta",
                .base = 160000,
                .head_dim_key = "",
                .heads = 12,
                .positions = 8192,
                .local_base_key = "local_rope_theta",
                .scales_local = true,
                .period_key = "global_attn_every_n_layers",
                .period = 3,
                .period_starts_full = true},
    ModelFamily{.model_type = "phi", .factor = 0.5},
    ModelFamily{.model_type = "phi3", .original_positions = 4096},
    ModelFamily{.model_type = "phimoe", .base = 1e6},
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
                .condition_value = "\"rotary\""},
    ModelFamily{.model_type = "cohere", .layout = kInterleaved},
    ModelFamily{.model_type = "cohere2",
                .layout = kInterleaved,
                .note = "the layers with full attention use no position embedding"},
    ModelFamily{.model_type = "glm", .layout = kInterleaved, .factor = 0.5, .head_dim = 128},
    ModelFamily{.model_type = "glm4", .layout = kInterleaved, .factor = 0.5, .head_dim = 128},
    ModelFamily{.model_type = "glm4_moe", .factor = 0.5},
    ModelFamily{.model_type = "olmo"},
    ModelFamily{.model_type = "olmo2"},
    ModelFamily{.model_type = "olmoe"},
    // The layers with sliding attention keep the base and are not scaled.
    ModelFamily{.model_type = "olmo3", .local_base_key = "rope_theta", .period = 4},
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
    ModelFamily{.model_type = "gpt_oss", .base = 150000, .head_dim = 64},
    ModelFamily{.model_type = "ernie4_5", .layout = kInterleaved, .base = 500000, .head_dim = 128},
    ModelFamily{.model_type = "helium", .layout = kInterleaved, .base = 100000},
    ModelFamily{.model_type = "llama4_text",
                .layout = kInterleaved,
                .base = 500000,
                .head_dim = 128,
                .note = "every fourth layer uses no position embedding"},
    ModelFamily{.model_type = "starcoder2"},
    ModelFamily{.model_type = "granite"},
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
