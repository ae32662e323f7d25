// Vision models whose axes count rows and columns of patches, with inverse powers of a base for
// frequencies: base^(-4j / head_dim), j = 0 .. head_dim / 4 - 1, if nothing else is said.
#pragma once

#include <cstdint>

#include "core/schemes/rotary_scheme.h"

namespace ropescope {

/// Rows, then columns; patches in blocks of merge x merge. Source: huggingface/transformers,
/// models/qwen2_vl/modeling_qwen2_vl.py, VisionRotaryEmbedding, rot_pos_emb.
RotaryScheme qwen2_vl_vision(Index head_dim, double base = 10000.0, Index merge = 2);

/// The same with columns first, and both counted from 1. Source: huggingface/transformers,
/// models/muse_glimmer/modeling_muse_glimmer.py, MuseGlimmerVisionRotaryEmbedding,
/// MuseGlimmerVisionModel.forward.
RotaryScheme muse_glimmer_vision(Index head_dim, double base = 10000.0, Index merge = 2);

/// Frames, rows and columns have 2 floor(head_dim / 6) channels each; the last channels do not
/// turn. Source: huggingface/transformers, models/minimax_m3_vl/modeling_minimax_m3_vl.py,
/// MiniMaxM3VL3DRotaryEmbedding.
RotaryScheme minimax_m3_vision(Index head_dim, double base = 10000.0, Index merge = 2);

/// Columns, then rows, in pairs of neighbours. Layers that see the whole image count in steps of
/// window / side of the grid. Source: huggingface/transformers, models/sam3/modeling_sam3.py,
/// Sam3ViTRotaryEmbedding.
RotaryScheme sam3_vit(Index head_dim, double base = 10000.0);

/// Rows and columns, counted from 1, turn pairs of neighbours by turns, with base^(-2j / channels),
/// j = 0 .. channels / 2 - 1 over all heads together, where channels is half of all of theirs: each
/// head has speeds of its own. Source: huggingface/transformers, models/efficientloftr/
/// modeling_efficientloftr.py, compute_embeddings.
RotaryScheme efficientloftr(Index head_dim, Index heads, double base = 10000.0);

/// Rows with base^(-4j / head_dim), columns with base^(-(4j + 2) / head_dim): the axes have
/// different spectra. half_split in transformers, interleaved in Mistral's own code. Sources:
/// mistralai/mistral-inference, rope.py, precompute_freqs_cis_2d; huggingface/transformers,
/// models/pixtral/modeling_pixtral.py, PixtralRotaryEmbedding.
RotaryScheme pixtral(Index head_dim, double base = 10000.0, Layout layout = Layout::half_split);

/// Columns and rows counted from 1, then CLS, which does not turn. Source:
/// huggingface/transformers, models/llama4/modeling_llama4.py, Llama4VisionRotaryEmbedding.
RotaryScheme llama4_vision(Index head_dim, double base = 10000.0);

/// Columns turn the first half of a head and rows the second, half-split each. Source:
/// huggingface/transformers, models/gemma4/modeling_gemma4.py, apply_multidimensional_rope.
RotaryScheme gemma4_vision(Index head_dim, double base = 100.0);

/// Columns and rows turn pairs by turns. Interleaved in Moonshot's code, half_split in transformers
/// (Kimi K2.5). Source: vllm, model_executor/models/moonvit.py, Rope2DPosEmb.
RotaryScheme moonvit(Index head_dim, double base = 10000.0, Layout layout = Layout::interleaved);

/// Columns, then rows, of a square grid. Source: facebookresearch/sam2,
/// sam2/modeling/position_encoding.py, compute_axial_cis.
RotaryScheme sam2(Index head_dim, double base = 10000.0);

/// The same behind a CLS token that does not turn. Source: naver-ai/rope-vit,
/// deit/models_v2_rope.py, compute_axial_cis.
RotaryScheme ropevit_axial(Index head_dim, double base = 100.0);

/// RoPE-ViT mixed: frequencies that were learned for x and y of each pair of each head, `freqs` [2,
/// heads, head_dim / 2] of one layer. Throws InputError if their number is another. Sources:
/// naver-ai/rope-vit, deit/models_v2_rope.py, compute_mixed_cis; huggingface/pytorch-image-models,
/// timm/layers/pos_embed_sincos.py, RotaryEmbeddingMixed.
RotaryScheme ropevit_mixed(Index head_dim, Index heads, std::span<const double> freqs);

// RoPE-ViT mixed before its training: the frequencies from which it learns.

/// In each head the pairs j and j + head_dim / 4 turn along two directions at right angles,
/// base^(-4j / head_dim) radians per patch each; the directions of a head are at random, by the
/// seed. Source: naver-ai/rope-vit, deit/models_v2_rope.py, init_random_2d_freqs, whose base is 10.
RotaryScheme ropevit_mixed_at_start(Index head_dim, Index heads, std::uint64_t seed,
                                    double base = 10.0);

}  // namespace ropescope
