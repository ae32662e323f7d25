// The score of a query at position m and a key at position n, split into what each pair adds.
#pragma once

#include <span>
#include <vector>

#include "core/base/index.h"
#include "core/rope/spectrum.h"

namespace ropescope {

/// What one pair adds to q_m . k_n, before the division by sqrt(head_dim), is
///   cos_part * cos(delta theta) + sin_part * sin(delta theta),  delta = n - m,
/// with cos_part = q . k and sin_part = q^T J k on the plane of the pair, J = [[0, -1], [1, 0]]
/// (the block-wise derivation, docs/sources.md).
struct PairTerm {
    double cos_part = 0.0;
    double sin_part = 0.0;
};

/// Returns the term of each pair, [pairs]. q and k are unrotated head vectors, [head_dim]; throws
/// InputError if they have another size.
std::vector<PairTerm> pair_terms(const RopeSpec& spec, std::span<const double> q,
                                 std::span<const double> k);

/// Returns q . k over the channels that do not rotate; 0 if rotary_dim equals head_dim.
double pass_through_term(const RopeSpec& spec, std::span<const double> q,
                         std::span<const double> k);

/// Returns the score q_m . k_n / sqrt(head_dim) at the relative distance delta = n - m in
/// positions, from terms and pass_through_term(), in double. The attention factor of the spectrum
/// counts twice, for q and for k, in the rotated channels. Throws InputError unless there is a term
/// for each pair.
double score_logits(const RopeSpec& spec, const Spectrum& spectrum, std::span<const PairTerm> terms,
                    double pass_through, Index delta);

}  // namespace ropescope
