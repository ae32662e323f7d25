// Three independent ways to rotate one head vector, in double: the references that the fast engine
// and each other are held to. Slow and plain on purpose. `spectrum` has one frequency a pair of
// `spec`; its attention_factor scales the rotated channels. Without it, it is made from `spec`.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/rope/spectrum.h"

namespace ropescope {

/// Pairs as complex numbers: z' = z e^{i m theta} (RoFormer, eq. 12; Meta LLaMA's
/// apply_rotary_emb).
std::vector<double> rotate_by_complex(const RopeSpec& spec, const Spectrum& spectrum,
                                      std::span<const double> x, std::int64_t position);
std::vector<double> rotate_by_complex(const RopeSpec& spec, std::span<const double> x,
                                      std::int64_t position);

/// The head_dim x head_dim block-diagonal matrix R_{Theta,m} (RoFormer, eq. 15) times x.
std::vector<double> rotate_by_matrix(const RopeSpec& spec, const Spectrum& spectrum,
                                     std::span<const double> x, std::int64_t position);
std::vector<double> rotate_by_matrix(const RopeSpec& spec, std::span<const double> x,
                                     std::int64_t position);

/// x * cos + rot(x) * sin with full-width tables (RoFormer, eq. 34; Hugging Face's rotate_half).
std::vector<double> rotate_by_elements(const RopeSpec& spec, const Spectrum& spectrum,
                                       std::span<const double> x, std::int64_t position);
std::vector<double> rotate_by_elements(const RopeSpec& spec, std::span<const double> x,
                                       std::int64_t position);

/// R_{Theta,m}, row-major [head_dim, head_dim].
std::vector<double> rotation_matrix(const RopeSpec& spec, const Spectrum& spectrum,
                                    std::int64_t position);
std::vector<double> rotation_matrix(const RopeSpec& spec, std::int64_t position);

}  // namespace ropescope
