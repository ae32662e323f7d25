// The score of a query at m and a key at n, and its parts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/rope/spectrum.h"

namespace ropescope {

/// One pair's share of q_m . k_n (before the division by sqrt(head_dim)) is
///   cos_part * cos(delta theta) + sin_part * sin(delta theta),  delta = n - m,
/// with cos_part = q . k and sin_part = q^T J k on the pair's plane (seed 003, blockwise
/// expansion).
struct PairTerm {
    double cos_part = 0.0;
    double sin_part = 0.0;
};

/// One term per pair; q and k are unrotated head vectors of spec.head_dim channels.
std::vector<PairTerm> pair_terms(const RopeSpec& spec, std::span<const double> q,
                                 std::span<const double> k);

/// q . k over the channels that are not rotated (0 when rotary_dim == head_dim).
double pass_through_term(const RopeSpec& spec, std::span<const double> q,
                         std::span<const double> k);

/// q_m . k_n / sqrt(head_dim) at relative distance delta = n - m, from the terms, in double.
double score_logits(const RopeSpec& spec, const Spectrum& spectrum, std::span<const PairTerm> terms,
                    double pass_through, std::int64_t delta);

}  // namespace ropescope
