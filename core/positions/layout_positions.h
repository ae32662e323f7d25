// The positions of a layout for any rule, and what a table of them says of each segment.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/positions/grid_rule.h"
#include "core/positions/layout_ids.h"

namespace ropescope {

struct LayoutPositions {
    std::vector<std::string> axes = {};
    Index batch = 0;
    Index length = 0;
    std::vector<double> values = {};        ///< [axes, batch, length]
    std::vector<TokenOrigin> origins = {};  ///< [batch, length]
    std::vector<Index> deltas = {};         ///< [batch]; empty if the rule has none
    std::vector<bool> turns = {};           ///< [batch, length]; empty if all turn

    double at(Index axis, Index b, Index token) const {
        return values[(axis * batch + b) * length + token];
    }
    const TokenOrigin& origin(Index b, Index token) const { return origins[b * length + token]; }
};

/// Ids of time, height and width; for text in one axis, of that axis alone.
LayoutPositions id_positions(const IdPlan& plan, bool one_axis = false);

/// Positions on the grids of the layout's images and videos. Throws InputError if the layout has
/// what this model does not: padding, packing, decode steps, chunks and shards, text in another
/// place than the model's, rows of different lengths.
LayoutPositions grid_layout_positions(const GridRule& rule, const TokenLayout& layout);

/// A run of tokens of one segment (or of padding, ...) in a row of the batch.
struct SegmentRange {
    Index b = 0;             ///< row of the batch
    TokenOrigin first = {};  ///< of the first token of the run
    Index token = 0;         ///< number of the first token in the row
    Index count = 0;
    std::vector<std::pair<double, double>> ranges =
        {};  ///< least and largest position of each axis
    /// By how much the segment begins above the largest position before it plus 1, where it begins
    /// in this run and follows another of its document.
    std::optional<Index> jump = {};
};
std::vector<SegmentRange> segment_ranges(const LayoutPositions& positions);
/// Finds the jumps of a whole sequence.
void add_jumps(const LayoutPositions& whole, std::vector<SegmentRange>& ranges);

/// The same, with the jumps of the whole sequence, of which `positions` are perhaps a part.
std::vector<SegmentRange> segment_ranges(const LayoutPositions& positions, const IdPlan& plan);

}  // namespace ropescope
