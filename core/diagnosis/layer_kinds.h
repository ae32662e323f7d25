// Whether two layers do the same.
#pragma once

#include <vector>

#include "core/diagnosis/analysis.h"
#include "core/diagnosis/layers.h"

namespace ropescope::diagnosis {

/// A kind of layers, and what its first layer was explained by: without the angles, so that it is
/// small.
struct KnownLayer {
    LayerKind kind = {};
    std::vector<Explanation> sides = {};
};

KnownLayer known_layer(Index number, Analysis analysis);

/// Whether verdicts, findings and mismatches are the same, and all numbers as far as rounding
/// tells. Which of the five texts gives the same numbers depends on the data, and does not count.
bool same_kind(const KnownLayer& a, const KnownLayer& b);

}  // namespace ropescope::diagnosis
