// Language models that see: the pairs of one spectrum are given to time, height and width (M-RoPE).
#pragma once

#include <span>
#include <vector>

#include "core/schemes/rotary_scheme.h"

namespace ropescope {

/// The axes t, h, w are 0, 1, 2 in what follows.
inline constexpr Index kTime = 0, kHeight = 1, kWidth = 2;

/// How sections become the axis of each pair.
enum class SectionOrder : std::uint8_t {
    bands,       ///< first the pairs of t, then h, then w (Qwen2-VL, GLM-4V)
    cyclic,      ///< t, h, w by turns, as far as h and w reach; the rest is t (Qwen3-VL, Qwen3.5)
    space_first  ///< h and w by turns, then t (ERNIE 4.5 VL, VideoRoPE)
};
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<SectionOrder> = {"bands", "cyclic",
                                                                             "space_first"};

/// Pairs of each axis.
struct Sections {
    Index t = 0, h = 0, w = 0;

    Index sum() const { return t + h + w; }
    bool operator==(const Sections&) const = default;
};

/// Returns the axis of each of `pairs` pairs. Throws InputError if the sections do not add up to
/// them, or do not suit the order.
std::vector<Index> axis_of_pairs(const Sections& sections, SectionOrder order, Index pairs);

/// Gives the pairs of the spec, with its scaling, to the axes. Sources: huggingface/transformers,
/// models/qwen2_vl/modeling_qwen2_vl.py, apply_multimodal_rotary_pos_emb; models/qwen3_vl/
/// modeling_qwen3_vl.py, apply_interleaved_mrope; models/glm4v/modeling_glm4v.py, apply_mrope;
/// models/ernie4_5_vl_moe/modeling_ernie4_5_vl_moe.py, recomposition_to_3d; Wiselnn570/VideoRoPE,
/// modeling_videorope.py, apply_m_modify_multimodal_rotary_pos_emb.
RotaryScheme multimodal_text(std::string id, const RopeSpec& spec, const Sections& sections,
                             SectionOrder order, const MultimodalRule& positions);

/// Gives the pairs of the spec to the axes p, w, h, t in bands. Throws InputError if the sections
/// do not add up to them. Source: vllm-project/vllm,
/// model_executor/layers/rotary_embedding/xdrope.py of May 2026, after Tencent's
/// apply_rotary_pos_emb_xdrope. apply_multimodal_rotary_pos_emb of models/hunyuan_vl in
/// huggingface/transformers of August 2026 doubles the sections, so that the two channels of a pair
/// turn by different axes; that is no rotation for tokens of images.
RotaryScheme four_axes_text(std::string id, const RopeSpec& spec, std::span<const Index> sections,
                            const MultimodalRule& positions);

}  // namespace ropescope
