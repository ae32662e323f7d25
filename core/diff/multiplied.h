// A layer of a dump whose numbers of 8 bits are multiplied by their scales.
#pragma once

#include <map>
#include <string>

#include "core/diagnosis/dump_file.h"
#include "core/diagnosis/quantised/read_scales.h"

namespace ropescope::diff {

struct MultipliedLayer {
    /// Vectors of 8 bits are F64 here; the scales that they were multiplied by are left out.
    diagnosis::LayerTensors layer = {};
    std::map<std::string, diagnosis::UnplacedGrid> grids = {};  ///< of these vectors, by name

    /// Null if the tensor is not one of 8 bits.
    const diagnosis::UnplacedGrid* grid_of(const std::string& tensor) const;
    /// Null if there is none.
    const TensorBytes* find(std::string_view tensor) const;
};

/// Throws InputError that begins with `origin` for scales that dequantised() refuses.
MultipliedLayer multiplied(diagnosis::LayerTensors layer, const std::string& origin);

}  // namespace ropescope::diff
