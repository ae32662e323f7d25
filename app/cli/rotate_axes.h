// `ropescope rotate` for models that turn in several axes.
#pragma once

#include <optional>
#include <string>

#include "core/engine/engine.h"

namespace ropescope::cli {

/// The options of `rotate` that say how tokens turn in several axes; empty if they were not given.
struct AxisArguments {
    std::string config, part;
    std::string spec;  ///< .safetensors with omega and pairs
    std::string positions, position_axes;
    std::string grid;  ///< "4x6", "3x4x6", or several with commas

    bool given() const {
        return !part.empty() || !spec.empty() || !grid.empty() || !position_axes.empty();
    }
};

/// Rotates x as the options say if they describe several axes, and returns true. Returns false if
/// they describe one axis, which is not this function's business. Throws InputError for options
/// that contradict each other, and for positions or grids that do not fit the tokens.
bool rotate_by_axes(TensorView<float> x, const AxisArguments& arguments, Engine& engine,
                    RotateOptions rotation);

}  // namespace ropescope::cli
