// Where two dumps part, as maps to draw: pairs and heads over tokens.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diff/dump_diff.h"

namespace ropescope::diff {

/// The differences of one tensor in allowances: up to 1, rounding explains them. NaN where nothing
/// is to compare, infinite where one of both is no number.
struct DifferenceMap {
    std::string tensor = {};
    Index row = 0, head = 0;  ///< that `of_head` is of
    Index heads = 0, tokens = 0;
    Index places = 0;      ///< pairs or channels
    bool by_pair = false;  ///< else by channel
    Index together = 1;    ///< tokens of a column, of which the largest difference counts
    std::vector<double> of_head = {};   ///< [places, columns]
    std::vector<double> of_heads = {};  ///< [heads, columns]: the largest of all channels

    Index columns() const { return (tokens + together - 1) / together; }
};

/// Of one layer and one of q and k: before the rotation and behind it, as far as both dumps have
/// them.
struct DifferenceMaps {
    std::optional<Index> layer = {};
    std::vector<DifferenceMap> maps = {};
};

/// Of the layer, the side, the row and the head that differ first; if nothing does, of the first
/// ones. `difference` is compare_dumps() of the two files.
DifferenceMaps map_differences(const diagnosis::DumpFile& a, const diagnosis::DumpFile& b,
                               const DumpDifference& difference);

}  // namespace ropescope::diff
