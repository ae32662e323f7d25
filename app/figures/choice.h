// A choice of rows for a table that would otherwise be too long.
#pragma once

#include <algorithm>
#include <vector>

#include "core/base/index.h"

namespace ropescope::figures {

/// All indices from 0 to count - 1, or `most` of them at even steps, the first and the last among
/// them. `most` is at least 2.
inline std::vector<Index> evenly_chosen(Index count, Index most) {
    const Index shown = std::min(count, most);
    std::vector<Index> chosen;
    for (Index i = 0; i < shown; ++i) {
        chosen.push_back(shown == 1 ? 0 : i * (count - 1) / (shown - 1));
    }
    return chosen;
}

}  // namespace ropescope::figures
