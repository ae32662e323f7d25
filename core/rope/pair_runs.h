// Pairs of channels in any order, as few runs of pairs that one loop turns.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/base/index.h"
#include "core/rope/layout.h"

namespace ropescope {

/// `count` pairs of neighbouring columns of a table. If `adjacent`, pair k of the run is channels
/// first + 2k and first + 2k + 1; else it is channels first + k and second + k.
struct PairRun {
    Index pair = 0;  ///< column of the table for the first pair
    Index first = 0;
    Index second = 0;
    Index count = 0;
    bool adjacent = false;
};

/// Returns the fewest runs that make up the pairs, in their order: one for each of the two layouts,
/// one for each block if the blocks of a head are half-split, one for each pair at worst.
std::vector<PairRun> pair_runs(std::span<const ChannelPair> pairs);

/// The layout whose pairs these are; empty if they are those of none, or if there are no pairs.
std::optional<Layout> layout_of(std::span<const ChannelPair> pairs);

/// The run of all pairs of a layout.
PairRun layout_run(Layout layout, Index pairs);

/// Throws InputError unless every pair names two channels from 0 to head_dim - 1 that no other pair
/// has.
void validate_pairs(std::span<const ChannelPair> pairs, Index head_dim);

}  // namespace ropescope
