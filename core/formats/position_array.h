// Positions of tokens in a tensor whose axes come in any order.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/base/index.h"
#include "core/formats/tensor.h"

namespace ropescope {

struct PositionArray {
    Index axes = 1, batch = 1, length = 0;
    std::vector<double> values = {};  ///< [axes, batch, length]
};

/// The sizes of such a tensor, without its numbers.
PositionArray sizes_in_order(std::span<const Index> shape, std::string_view order);
/// Returns the numbers of a tensor whose axes `order` names, a letter for each and none twice: a
/// (axis), b (batch) and l (position). An axis that is not named has size 1. Throws InputError as
/// to_f64() does.
PositionArray positions_in_order(const TensorBytes& tensor, std::string_view order);

}  // namespace ropescope
