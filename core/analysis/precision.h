// What rounding does to a rotation table: compares the chain from a position to cos and sin as
// programs compute it, with each rounding reproduced bit for bit, with the exact values.
#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/index.h"
#include "core/base/number_format.h"
#include "core/rope/spectrum.h"

namespace ropescope {

/// The way position -> times inv_freq -> angle -> cos and sin -> table, each step in its own
/// format.
struct PrecisionChain {
    std::string id;     ///< "fp32_angle"
    std::string title;  ///< "fp32 angle"
    std::string where;  ///< programs that compute in this way
    NumberFormat position = NumberFormat::exact;
    NumberFormat inv_freq = NumberFormat::exact;
    NumberFormat angle = NumberFormat::exact;
    NumberFormat evaluated = NumberFormat::exact;  ///< of cos and sin when computed
    NumberFormat stored = NumberFormat::exact;     ///< of cos and sin in the table
    /// If true, the angle of a pair is the angle of the pair before it times the ratio of the two
    /// frequencies, both in the format of `angle`, as in ggml (ggml_rope_cache_init).
    bool running_product = false;
};

/// All chains, from the most exact to the coarsest.
const std::vector<PrecisionChain>& precision_chains();
/// Returns the chain with this id. Throws InputError that names near matches.
const PrecisionChain& precision_chain(std::string_view id);

/// cos and sin at one position as a chain computes them, [pairs] each; NaN if the chain overflows.
struct ChainRow {
    std::vector<double> cos, sin;
};
void fill_chain_row(const PrecisionChain& chain, const Spectrum& spectrum, Index position,
                    ChainRow& row);

/// Returns the error of each pair, [pairs]: |computed - exact|, the larger of cos and sin. Exact
/// are cos and sin of position * inv_freq of `truth`, known here within 1e-15 up to position 2^20.
std::vector<double> chain_error(const PrecisionChain& chain, const Spectrum& truth, Index position);

/// The rows of a query at position m and of a key at position n.
struct ChainPair {
    ChainRow query, key;
};
ChainPair make_chain_pair(const PrecisionChain& chain, const Spectrum& spectrum, Index m, Index n);

/// How far scores are from depending on the distance alone: the change of q_m . k_n when both
/// positions move by the same shift, relative to |q| |k|.
struct RelativeViolation {
    double worst = 0;    ///< for the worst q and k: the largest |change of conj(z_m) z_n| of a pair
    double typical = 0;  ///< root mean square over random (normal) q and k of head_dim channels
};
RelativeViolation relative_violation(const ChainPair& before, const ChainPair& moved,
                                     Index head_dim);
RelativeViolation relative_violation(const PrecisionChain& chain, const Spectrum& spectrum,
                                     Index head_dim, Index m, Index n, Index shift);

struct FirstErrorSearch {
    double level = 0;  ///< |computed - exact| to reach, the largest over cos, sin and pairs
    Index last = 0;    ///< position where the search ends
};

/// Returns the first of the positions 1 .. last at which the error of the chain reaches the level
/// or is NaN; -1 if there is none. The search skips only positions and pairs that a bound on the
/// error proves to be below the level, so the answer is exact. Returns nothing if it would take
/// more than `entries` of tables, or if `stop` is requested. What it computes it takes off
/// `entries`, which several searches may share.
std::optional<Index> first_error(const PrecisionChain& chain, const Spectrum& truth,
                                 const FirstErrorSearch& search, Index& entries,
                                 const std::stop_token& stop = {});

}  // namespace ropescope
