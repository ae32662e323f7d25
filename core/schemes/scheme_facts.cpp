// The table of all schemes.
#include "core/schemes/scheme_facts.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "core/base/names.h"

namespace ropescope {
namespace {

constexpr std::array kFacts = {
    SchemeFacts{"text", "Language models in one axis", "arXiv:2104.09864, section 3.2.2"},
    SchemeFacts{"qwen2_vl_text", "Qwen2-VL, Qwen2.5-VL",
                "huggingface/transformers, models/qwen2_vl/modeling_qwen2_vl.py, "
                "apply_multimodal_rotary_pos_emb"},
    SchemeFacts{"qwen3_vl_text", "Qwen3-VL",
                "huggingface/transformers, models/qwen3_vl/modeling_qwen3_vl.py, "
                "apply_interleaved_mrope"},
    SchemeFacts{"qwen3_5_text", "Qwen3.5",
                "huggingface/transformers, models/qwen3_5/modeling_qwen3_5.py, "
                "Qwen3_5TextRotaryEmbedding"},
    SchemeFacts{"glm4v_text", "GLM-4.1V, GLM-4.5V, GLM-OCR",
                "huggingface/transformers, models/glm4v/modeling_glm4v.py, apply_mrope"},
    SchemeFacts{"ernie45vl_text", "ERNIE 4.5 VL",
                "huggingface/transformers, models/ernie4_5_vl_moe/modeling_ernie4_5_vl_moe.py, "
                "recomposition_to_3d"},
    SchemeFacts{"videorope", "VideoRoPE (arXiv:2502.05173)",
                "Wiselnn570/VideoRoPE, videorope-transformer/modeling_videorope.py, "
                "apply_m_modify_multimodal_rotary_pos_emb"},
    SchemeFacts{"qwen2_vl_vision", "Vision towers of Qwen2-VL, Qwen2.5-VL, Qwen3-VL, GLM-4V",
                "huggingface/transformers, models/qwen2_vl/modeling_qwen2_vl.py, "
                "VisionRotaryEmbedding"},
    SchemeFacts{"pixtral_hf", "Pixtral and Mistral 3 in transformers",
                "huggingface/transformers, models/pixtral/modeling_pixtral.py, "
                "PixtralRotaryEmbedding"},
    SchemeFacts{"pixtral_mistral", "Pixtral in Mistral's own code",
                "mistralai/mistral-inference, src/mistral_inference/rope.py, "
                "precompute_freqs_cis_2d"},
    SchemeFacts{"llama4_vision", "Vision tower of Llama 4",
                "huggingface/transformers, models/llama4/modeling_llama4.py, "
                "Llama4VisionRotaryEmbedding"},
    SchemeFacts{"gemma4_vision", "Vision tower of Gemma 4",
                "huggingface/transformers, models/gemma4/modeling_gemma4.py, "
                "apply_multidimensional_rope"},
    SchemeFacts{"moonvit", "MoonViT of Kimi-VL",
                "vllm-project/vllm, model_executor/models/moonvit.py, Rope2DPosEmb"},
    SchemeFacts{"sam2", "Memory attention of SAM 2",
                "facebookresearch/sam2, sam2/modeling/position_encoding.py, compute_axial_cis"},
    SchemeFacts{"ropevit_axial", "RoPE-ViT axial (arXiv:2403.13298)",
                "naver-ai/rope-vit, deit/models_v2_rope.py, compute_axial_cis"},
    SchemeFacts{"ropevit_mixed", "RoPE-ViT mixed, timm's rope_type mixed",
                "naver-ai/rope-vit, deit/models_v2_rope.py, compute_mixed_cis"},
    SchemeFacts{"timm_cat_lang", "EVA-02, timm's rope_type cat",
                "huggingface/pytorch-image-models, timm/layers/pos_embed_sincos.py, "
                "RotaryEmbeddingCat"},
    SchemeFacts{"timm_cat_pixel", "timm's rope_type cat in pixels",
                "huggingface/pytorch-image-models, timm/layers/pos_embed_sincos.py, "
                "pixel_freq_bands"},
    SchemeFacts{"dinov3", "DINOv3",
                "facebookresearch/dinov3, dinov3/layers/rope_position_encoding.py, "
                "RopePositionEmbedding"},
    SchemeFacts{"flux1", "FLUX.1", "black-forest-labs/flux, src/flux/math.py, rope"},
    SchemeFacts{"flux2", "FLUX.2",
                "huggingface/diffusers, models/transformers/transformer_flux2.py, Flux2PosEmbed"},
    SchemeFacts{"qwenimage", "Qwen-Image",
                "huggingface/diffusers, models/transformers/transformer_qwenimage.py, "
                "QwenEmbedRope"},
    SchemeFacts{"wan21", "Wan 2.1, Wan 2.2",
                "Wan-Video/Wan2.1, wan/modules/model.py, rope_params, rope_apply"},
    SchemeFacts{"hunyuanvideo", "HunyuanVideo",
                "Tencent-Hunyuan/HunyuanVideo, hyvideo/modules/posemb_layers.py, "
                "get_nd_rotary_pos_embed"},
    SchemeFacts{"cogvideox", "CogVideoX, CogVideoX 1.5",
                "huggingface/diffusers, models/embeddings.py, get_3d_rotary_pos_embed"},
    SchemeFacts{"cosmos", "Cosmos 1",
                "huggingface/diffusers, models/transformers/transformer_cosmos.py, "
                "CosmosRotaryPosEmbed"},
    SchemeFacts{"ltx", "LTX-Video",
                "huggingface/diffusers, models/transformers/transformer_ltx.py, "
                "LTXVideoRotaryPosEmbed"}};

}  // namespace

std::span<const SchemeFacts> scheme_facts() {
    return kFacts;
}

const SchemeFacts& scheme_facts(std::string_view id) {
    const auto* const found = std::ranges::find(kFacts, id, &SchemeFacts::id);
    if (found == kFacts.end()) {
        std::vector<std::string> names;
        for (const SchemeFacts& facts : kFacts) {
            names.emplace_back(facts.id);
        }
        throw InputError(fmt::format("scheme: '{}' is not known{}", id, did_you_mean(id, names)));
    }
    return *found;
}

}  // namespace ropescope
