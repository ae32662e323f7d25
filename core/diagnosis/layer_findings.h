// Findings of kinds of layers, as one list that names the layers.
#pragma once

#include <span>
#include <vector>

#include "core/diagnosis/layer_kinds.h"

namespace ropescope::diagnosis {

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
