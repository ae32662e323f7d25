// Positions of several axes in a tensor whose axes come in any order.
#pragma once

#include <string>
#include <vector>

#include "core/base/index.h"
#include "core/formats/tensor.h"

namespace ropescope::cli {

struct PositionFile {
    Index axes = 0, batch = 1, length = 0;
    std::vector<double> values;  ///< [axes, batch, length]
};

/// Reads a tensor of two or three axes, which `order` names by the letters a (axis), b (batch) and
/// l (position); if it is empty: al or abl. Throws InputError that names the tensor.
PositionFile read_positions(const Tensor& file, const std::string& order);

}  // namespace ropescope::cli
