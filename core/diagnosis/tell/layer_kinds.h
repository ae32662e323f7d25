// Kinds of layers: whether two layers do the same, and what is said of all kinds.
#pragma once

#include <span>
#include <vector>

#include "core/diagnosis/analysis.h"
#include "core/diagnosis/layers.h"

namespace ropescope::diagnosis {

/// A kind of layers, and what its first layer was explained by: without the angles, so that it is
/// small.
struct KnownLayer {
    AlikeLayers kind = {};
    std::vector<Explanation> sides = {};
};

KnownLayer known_layer(Index number, Analysis analysis);

/// Whether verdicts, findings and mismatches are the same, and all numbers as far as rounding
/// tells. Which of the five texts gives the same numbers depends on the data, and does not count.
bool same_kind(const KnownLayer& a, const KnownLayer& b);

/// Layers that do not turn, among others that do, are a fault of their own. They are a note if
/// `expectation`, which may be null, leaves the rotation out there; without one, if every n-th
/// layer is one of them, as models have it. Returns what differs from the expectation.
std::vector<Finding> weigh_still_layers(std::vector<KnownLayer>& kinds,
                                        const Expectation* expectation);

/// The findings of all kinds, once if several share them; what differs between the kinds among
/// them.
std::vector<Finding> findings_of_layers(std::span<const KnownLayer> kinds);

/// The mismatches of all kinds, and those of layers that do not turn, with their layers.
std::vector<Finding> mismatches_of_layers(std::span<const KnownLayer> kinds,
                                          const std::vector<Finding>& still);

}  // namespace ropescope::diagnosis
