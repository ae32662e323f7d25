// Floats that are numbers of a grid of 8 bits times scales that nobody stated.
#pragma once

#include <optional>

#include "core/diagnosis/dump.h"

namespace ropescope::diagnosis {

/// The coarsest grid that every number of the tensor lies on within the rounding of its own format,
/// with one scale for the tensor, each head, token, row of channels or channel, the fewest scales
/// first. Empty unless numbers that know of no grid would lie on it less often than once in 2^64
/// times: a number lies by chance within rounding of the grid's with the probability of that
/// rounding over half a step, all of them with the product, and each scale that was tried is one
/// more chance.
std::optional<Quantised> recognised_grid(const DumpTensor& tensor);

/// The dump with the grids of its tensors behind the rotation, as far as they are recognised.
Dump with_recognised_grids(Dump dump);

}  // namespace ropescope::diagnosis
