// Models that make images and videos. Each axis has a part of the head, whose frequencies begin
// again at 1, base^(-2j / channels), unless a function says otherwise; pairs are interleaved.
#pragma once

#include <array>
#include <span>

#include "core/schemes/rotary_scheme.h"

namespace ropescope {

/// Axis id (0, and 1, 2, ... for the images of a context), row, column; text at 0. Source:
/// black-forest-labs/flux, src/flux/math.py, rope; sampling.py, prepare.
RotaryScheme flux1(std::span<const Index> axis_channels, double base = 10000.0);

/// Axis t (0, and 10, 20, ... for reference images), row, column, and l, which counts the text.
/// Source: huggingface/diffusers, transformer_flux2.py, Flux2PosEmbed; pipeline_flux2.py,
/// _prepare_text_ids, _prepare_latent_ids, _prepare_image_ids.
RotaryScheme flux2(std::span<const Index> axis_channels, double base = 2000.0);

/// Frame, row and column from the middle of the image; text goes on in all axes. Source:
/// huggingface/diffusers, transformer_qwenimage.py, QwenEmbedRope.
RotaryScheme qwen_image(std::span<const Index> axis_channels, double base = 10000.0);

/// Rows and columns have 2 floor(head_dim / 6) channels each, frames the rest. Source:
/// Wan-Video/Wan2.1, wan/modules/model.py, rope_params, rope_apply.
RotaryScheme wan(Index head_dim, double base = 10000.0);

/// Frame, row, column; text comes last and does not turn. Source: Tencent-Hunyuan/HunyuanVideo,
/// hyvideo/modules/posemb_layers.py, get_nd_rotary_pos_embed.
RotaryScheme hunyuan_video(std::span<const Index> axis_channels, double base = 256.0);

/// A quarter of the channels for frames, three eighths for rows and columns each; text comes first
/// and does not turn. Rows and columns lie on the crop of the base grid with the shape of the
/// grid; without a base (version 1.5) they are indices. Source: huggingface/diffusers,
/// models/embeddings.py, get_3d_rotary_pos_embed.
RotaryScheme cogvideox(Index head_dim, std::optional<PatchGrid> base_grid);

/// Half-split over the whole head; the base of an axis is 10000 scale^(channels / (channels - 2)),
/// and frames count in units of base_fps / fps (1 if fps is 0). Source: huggingface/diffusers,
/// transformer_cosmos.py, CosmosRotaryPosEmbed.
struct Cosmos {
    Index head_dim = 128;
    std::array<double, 3> scale = {2.0, 1.0, 1.0};  ///< rope_scale: of t, h, w
    double base_fps = 24.0;
    double fps = 0.0;
};
RotaryScheme cosmos(const Cosmos& arguments);

/// One spectrum over the channels of all heads, (pi / 2) base^s with s from 0 to 1, rising; the
/// axes take pairs by turns behind a few that do not turn. Positions are 2 c - 1 of coordinates c =
/// index
/// * unit. Source: huggingface/diffusers, transformer_ltx.py, LTXVideoRotaryPosEmbed.
struct Ltx {
    Index head_dim = 64;
    Index heads = 32;
    double base = 10000.0;
    std::array<double, 3> unit = {1.0, 1.0, 1.0};  ///< of f, h, w: scale * patch size / base size
    Layout layout = Layout::interleaved;           ///< LTX-2 may split heads in halves
};
RotaryScheme ltx(const Ltx& arguments);

}  // namespace ropescope
