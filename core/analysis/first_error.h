// Searches for the first position at which a chain of roundings is off by a given amount.
#pragma once

#include <optional>
#include <stop_token>

#include "core/analysis/precision.h"
#include "core/base/index.h"

namespace ropescope {

struct FirstErrorSearch {
    double level = 0;   ///< |computed - exact| to reach, the largest over cos, sin and pairs
    Index last = 0;     ///< position where the search ends
    Index entries = 0;  ///< most table entries to compute
};

/// Returns the first of the positions 1 .. last at which the error of the chain reaches the level
/// or is NaN; -1 if there is none. The search skips only positions and pairs that a bound on the
/// error proves to be below the level, so the answer is exact. Returns nothing if it would take
/// more entries than allowed, or if `stop` is requested.
std::optional<Index> first_error(const PrecisionChain& chain, const Spectrum& truth,
                                 const FirstErrorSearch& search, const std::stop_token& stop = {});

}  // namespace ropescope
