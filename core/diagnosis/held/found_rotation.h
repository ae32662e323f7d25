// The rotation that an explanation states, to hold the dump to it.
#pragma once

#include <optional>

#include "core/diagnosis/explanation.h"
#include "core/diagnosis/held/residual.h"

namespace ropescope::diagnosis {

/// What the stated parameters of an explanation leave of its side: layout, spectrum, direction,
/// offset, phase, gain, table and the channels that stay. Empty if they do not say what every token
/// does: without a model, or with a factor for each token or a position for each.
std::optional<Residual> residual_of_found(const Explanation& side, const DumpSide& tensors,
                                          const DumpPositions& positions);

/// The attention factor of the method that was found: 1 if it has none or is not known.
double gain_of_method(const Explanation& side);

}  // namespace ropescope::diagnosis
