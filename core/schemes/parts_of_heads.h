// Models that make images, videos and sound, by how the axes share the channels of a head. Their
// files state the frequencies; where the tokens of a class lie is in its pipeline.
#pragma once

#include <array>
#include <span>

#include "core/schemes/rotary_scheme.h"

namespace ropescope {

/// Each axis turns a part of the head, in its order, by base^(-2j / channels); channels behind the
/// last part do not turn, and pairs are interleaved. Source: huggingface/diffusers,
/// models/embeddings.py, get_1d_rotary_pos_embed, as FluxPosEmbed uses it.
RotaryScheme parts_of_a_head(std::span<const Index> axis_channels, double base, Index head_dim);

/// Rows have the first half of the frequencies and columns the second, half-split over the head.
/// Source: huggingface/diffusers, transformer_cogview4.py, CogView4RotaryPosEmbed.
RotaryScheme cogview4(Index head_dim, double base = 10000.0);

/// Frames, rows and columns have a third of the head each, half-split by itself; positions of an
/// axis are divided by its scale. Source: huggingface/diffusers, models/embeddings.py,
/// get_3d_rotary_pos_embed_allegro.
RotaryScheme allegro(Index head_dim, const std::array<double, 3>& scale = {1.0, 1.0, 1.0},
                     double base = 10000.0);

/// Frames, rows and columns have `pairs` pairs each, half-split over the first 6 * pairs channels.
/// Source: huggingface/diffusers, transformer_minimax_h3.py, MiniMaxH3RotaryPosEmbed.
RotaryScheme minimax_h3(Index head_dim, Index pairs, double base = 10000.0);

/// Rows and columns turn interleaved pairs by turns. Source: huggingface/diffusers,
/// models/embeddings.py, get_2d_rotary_pos_embed_lumina.
RotaryScheme lumina_next(Index head_dim, double base = 10000.0);

/// Columns turn the first half of the head and rows the second, in interleaved pairs. Source:
/// huggingface/diffusers, models/embeddings.py, get_2d_rotary_pos_embed, whose grid has columns
/// first.
RotaryScheme hunyuan_dit(Index head_dim, double base = 10000.0);

}  // namespace ropescope
