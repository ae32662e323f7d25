// Positions of several axes in a tensor whose axes come in any order.
#pragma once

#include <string>

#include "core/formats/position_array.h"

namespace ropescope::cli {

/// Reads a tensor of two or three axes, which `order` names by the letters a (axis), b (batch) and
/// l (position); if it is empty: al or abl. Throws InputError that names the tensor.
PositionArray read_positions(const Tensor& file, const std::string& order);

}  // namespace ropescope::cli
