// Reads tensors of 8 bits with their scales.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/quantised/grid.h"
#include "core/formats/tensor.h"

namespace ropescope::diagnosis {

/// The grid of a tensor whose axes have no names yet, and how far apart the scales of neighbours
/// along each of its axes are.
struct UnplacedGrid {
    Quantised quantised = {};
    std::vector<Index> strides = {};
};

/// A tensor as float64, multiplied by its scales.
struct Dequantised {
    TensorBytes tensor = {};
    std::shared_ptr<const void> owner = {};
    std::optional<UnplacedGrid> grid = {};  ///< empty: the tensor as it was
};

/// Of a tensor in 8 bits, or one of floats that all are numbers of a grid of 8 bits and that has
/// scales. `scale` may be null: 1. A scale belongs to all of the tensor ([1]), or has the axes of
/// the tensor with 1 for those that share it, or some of the axes alone; along the channels it may
/// belong to blocks of as many each. Throws InputError without the name of the file: for scales of
/// another shape, of axes that cannot be told apart, that are not finite, or negative.
Dequantised dequantised(const TensorBytes& tensor, const TensorBytes* scale);

/// The same with the axes in the order of these letters ("blhd").
Quantised placed(const UnplacedGrid& grid, const std::string& axes);

}  // namespace ropescope::diagnosis
