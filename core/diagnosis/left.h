// What is left of a dump when a rotation is taken from it: how much rounding does not explain, and
// where.
#pragma once

#include <vector>

#include "core/diagnosis/finding.h"

namespace ropescope::diagnosis {

/// A vector of the dump: the pair of a token in a head, or one of its channels that stay.
struct HeldPlace {
    Index row = 0, head = 0, token = 0;
    Index pair = -1;     ///< -1: a channel that stays
    Index channel = -1;  ///< the first of the pair, or the one that stays
};

/// What is left of one side.
struct Residual {
    Side side = Side::none;
    Index compared = 0, outside = 0;  ///< vectors, and those that rounding does not explain
    double worst = 0.0;               ///< of all, in allowances
    double worst_rad = 0.0;           ///< the largest error of a pair as a share of its length
    HeldPlace place = {};             ///< of the worst
    std::vector<Index> pairs = {}, tokens = {}, rows = {}, heads = {};  ///< with any outside
    bool still_channels = false;     ///< channels that should stay are among those outside
    std::vector<Index> layers = {};  ///< that this was found in, if there are several

    bool none() const { return outside == 0; }
};

}  // namespace ropescope::diagnosis
