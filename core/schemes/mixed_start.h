// RoPE-ViT mixed before its training: the frequencies from which it learns.
#pragma once

#include <cstdint>

#include "core/schemes/rotary_scheme.h"

namespace ropescope {

/// In each head the pairs j and j + head_dim / 4 turn along two directions at right angles,
/// base^(-4j / head_dim) radians per patch each; the directions of a head are at random, by the
/// seed. Source: naver-ai/rope-vit, deit/models_v2_rope.py, init_random_2d_freqs, whose base is 10.
RotaryScheme ropevit_mixed_at_start(Index head_dim, Index heads, std::uint64_t seed,
                                    double base = 10.0);

}  // namespace ropescope
