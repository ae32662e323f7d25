// Three independent ways to rotate one head vector [head_dim] in double. They check the engines and
// each other, so they are plain rather than fast. `spectrum` must have one frequency for each pair
// of `spec`; its attention_factor scales the rotated channels. The forms without a spectrum make it
// from `spec`. All throw InputError for a vector of another size, a spectrum of another number of
// pairs, and positions beyond +-kMaxPosition.
#pragma once

#include <span>
#include <vector>

#include "core/base/index.h"
#include "core/rope/spectrum.h"

namespace ropescope {

/// Takes pairs as complex numbers: z' = z e^{i m theta} (RoFormer, eq. 12; apply_rotary_emb of Meta
/// LLaMA).
std::vector<double> rotate_by_complex(const RopeSpec& spec, const Spectrum& spectrum,
                                      std::span<const double> x, Index position);
std::vector<double> rotate_by_complex(const RopeSpec& spec, std::span<const double> x,
                                      Index position);

/// Multiplies x by the block-diagonal matrix R_{Theta,m} (RoFormer, eq. 15).
std::vector<double> rotate_by_matrix(const RopeSpec& spec, const Spectrum& spectrum,
                                     std::span<const double> x, Index position);
std::vector<double> rotate_by_matrix(const RopeSpec& spec, std::span<const double> x,
                                     Index position);

/// Computes x * cos + rot(x) * sin with tables of head_dim channels (RoFormer, eq. 34; rotate_half
/// of Hugging Face transformers).
std::vector<double> rotate_by_elements(const RopeSpec& spec, const Spectrum& spectrum,
                                       std::span<const double> x, Index position);
std::vector<double> rotate_by_elements(const RopeSpec& spec, std::span<const double> x,
                                       Index position);

/// Returns R_{Theta,m}, [head_dim, head_dim] row-major.
std::vector<double> rotation_matrix(const RopeSpec& spec, const Spectrum& spectrum, Index position);
std::vector<double> rotation_matrix(const RopeSpec& spec, Index position);

}  // namespace ropescope
