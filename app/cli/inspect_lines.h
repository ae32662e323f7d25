// What the two texts of `inspect` share: lines of a name and a value, and a choice of pairs.
#pragma once

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/index.h"

namespace ropescope::cli {

inline std::string line(std::string_view name, std::string_view value) {
    return fmt::format("  {:<18} {}\n", name, value);
}

/// At most 32 pairs of `pairs`, evenly chosen, with the first and the last.
inline std::vector<Index> shown_pairs(Index pairs) {
    constexpr Index kMostRows = 32;
    const Index shown = std::min(pairs, kMostRows);
    std::vector<Index> numbers;
    for (Index row = 0; row < shown; ++row) {
        numbers.push_back(shown == 1 ? 0 : row * (pairs - 1) / (shown - 1));
    }
    return numbers;
}

/// Says under a table that it does not have all pairs; empty if it has.
inline std::string left_out_text(std::size_t shown, Index pairs) {
    return static_cast<Index>(shown) == pairs
               ? ""
               : fmt::format("{} of {} pairs; --format json has all\n", shown, pairs);
}

}  // namespace ropescope::cli
