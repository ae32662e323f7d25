// Finds what is drawn at a place under the cursor, given in data units. An infinite or NaN place (a
// cursor beside a logarithmic axis, say) counts as 0.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/base/index.h"

namespace ropescope::plot {

/// The whole number in [first, last] that is nearest to `at`, halves away from zero.
inline Index pick_whole(double at, Index first, Index last) {
    if (!std::isfinite(at)) {
        return std::clamp<Index>(0, first, last);
    }
    return round_to_index(std::clamp(at, to_double(first), to_double(last)));
}

/// The index in [0, count) of the mark nearest to `at`, for marks drawn at 0, 1, 2, ...; 0 if
/// `count` is 0.
inline Index pick_index(double at, Index count) {
    return pick_whole(at, 0, std::max<Index>(count, 1) - 1);
}

/// The index in [0, count) of the cell that holds `at`, for cells drawn over [0, 1), [1, 2), ...;
/// the first or last cell if `at` lies outside, 0 if `count` is 0.
inline Index pick_cell(double at, Index count) {
    return pick_index(std::floor(at), count);
}

}  // namespace ropescope::plot
