// Two faults at once: the search that ids of sequences and positions on grids share.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/index.h"

namespace ropescope {

/// A fault and what it does, a sentence about the ids.
struct NamedFault {
    std::string_view code;  ///< "ids.axes_swapped"
    std::string how;
};

/// Two faults that make the ids at hand together, and neither does alone.
struct FaultPair {
    NamedFault first, second;
};

/// A fault has several variations; this is one of them.
struct VariationIndex {
    Index fault = 0, variation = 0;
};

/// Two at once are looked for in at most so many tokens, on grids in so many: a few thousand pairs
/// are tried, and positions on grids take longer.
inline constexpr Index kMostTokensOfPairs = 4096;
inline constexpr Index kMostPatchesOfPairs = 1024;
/// More pairs than these tell a reader nothing.
inline constexpr Index kMostFaultPairs = 4;

/// Returns the pairs of different faults for which `makes(first, second)` says that the second,
/// done to what the first has changed, makes the ids at hand; at most kMostFaultPairs, and each two
/// faults once. `visible` are the variations that change the ids by themselves. `name` gives the
/// words.
std::vector<FaultPair> find_fault_pairs(
    const std::vector<VariationIndex>& visible,
    const std::function<bool(const VariationIndex& first, const VariationIndex& second)>& makes,
    const std::function<NamedFault(const VariationIndex&)>& name);

}  // namespace ropescope
