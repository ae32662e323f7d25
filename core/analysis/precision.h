// What rounding does to a rotation table: the chain from a position to cos and sin as programs
// compute it, every rounding bit-true (to nearest, ties to even), against the exact table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/rope/spectrum.h"

namespace ropescope {

/// exact: no rounding beyond double's, and angles reduced before any precision is lost.
enum class NumberFormat { exact, fp64, fp32, fp16, bf16 };
std::string_view to_string(NumberFormat format);

/// Rounded once, to nearest, ties to even: subnormals are kept, what is too large gives infinity.
double rounded_to(NumberFormat format, double value);

/// position -> x inv_freq -> angle -> cos, sin -> stored; each step in its own format.
struct PrecisionChain {
    std::string id;     ///< "fp32_angle"
    std::string title;  ///< "fp32 angle"
    std::string where;  ///< who computes so
    NumberFormat position = NumberFormat::exact;
    NumberFormat inv_freq = NumberFormat::exact;
    NumberFormat angle = NumberFormat::exact;
    NumberFormat evaluated = NumberFormat::exact;  ///< cos and sin as they are computed
    NumberFormat stored = NumberFormat::exact;     ///< and as the cache keeps them
    /// The angle of a pair is that of the pair before times the ratio of the two frequencies, both
    /// in `angle`'s format, as ggml does (ggml_rope_cache_init).
    bool running_product = false;
};

/// From the most exact to the coarsest.
const std::vector<PrecisionChain>& precision_chains();
/// Throws InputError naming near matches.
const PrecisionChain& precision_chain(std::string_view id);

/// cos and sin of one position as a chain computes them, [pairs] each. NaN where the chain
/// overflows.
struct ChainRow {
    std::vector<double> cos, sin;
};
void fill_chain_row(const PrecisionChain& chain, const Spectrum& spectrum, std::int64_t position,
                    ChainRow& row);

/// |computed - exact|, the larger of cos and sin, for every pair [pairs]; exact is
/// cos(position inv_freq) of `truth`, within 1e-15 up to position 2^20.
std::vector<double> chain_error(const PrecisionChain& chain, const Spectrum& truth,
                                std::int64_t position);

/// The rows of a query and of a key.
struct ChainPair {
    ChainRow query, key;
};
ChainPair make_chain_pair(const PrecisionChain& chain, const Spectrum& spectrum, std::int64_t m,
                          std::int64_t n);

/// How far a score is from depending on the distance alone: the change of q_m . k_n when both
/// positions move by `shift`, relative to |q| |k|.
struct RelativeViolation {
    double worst = 0;    ///< for the worst q and k: the largest change of conj(z_m) z_n of a pair
    double typical = 0;  ///< root mean square over random (normal) q and k of head_dim channels
};
RelativeViolation relative_violation(const ChainPair& before, const ChainPair& moved, int head_dim);
RelativeViolation relative_violation(const PrecisionChain& chain, const Spectrum& spectrum,
                                     int head_dim, std::int64_t m, std::int64_t n,
                                     std::int64_t shift);

}  // namespace ropescope
