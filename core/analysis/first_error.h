// The first position at which a chain of roundings is off by so much, looked for one by one.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

#include "core/analysis/precision.h"

namespace ropescope {

struct FirstErrorSearch {
    double level = 0;          ///< of |computed - exact|, the largest of cos and sin and all pairs
    std::int64_t last = 0;     ///< position
    std::int64_t entries = 0;  ///< of tables to compute at most
};

/// The first of the positions 1 .. last at which the chain's error reaches the level or is no
/// number; -1: at none. Positions and pairs are left out only where a bound on the error proves
/// them below the level. Nothing where that takes more than the entries, or a stop is asked for.
std::optional<std::int64_t> first_error(const PrecisionChain& chain, const Spectrum& truth,
                                        const FirstErrorSearch& search,
                                        const std::stop_token& stop = {});

}  // namespace ropescope
