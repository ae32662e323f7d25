// `ropescope rotate` for models that turn in several axes.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/engine/engine.h"
#include "core/formats/tensor.h"
#include "core/models/model.h"

namespace ropescope::cli {

/// What `rotate` reads of a model and of positions. Either may be a pipe, so it is read once.
struct ModelAndPositions {
    std::optional<Model> model;
    std::optional<Tensor> positions;  ///< its name is the path
};

/// The names of the options that are there.
std::vector<std::string> names_given(
    std::initializer_list<std::pair<bool, std::string_view>> options);

/// The options of `rotate` that say how tokens turn in several axes; empty if they were not given.
struct AxisArguments {
    std::string part;
    std::string spec;  ///< .safetensors with omega and pairs, or learned freqs
    std::string position_axes;
    std::string grid;                        ///< "4x6", "3x4x6", or several with commas
    std::optional<std::int64_t> layer = {};  ///< of learned frequencies in `spec`

    /// The names of those that are given.
    std::vector<std::string> given() const {
        return names_given({{!part.empty(), "--part"},
                            {!grid.empty(), "--grid"},
                            {!spec.empty(), "--spec"},
                            {layer.has_value(), "--layer"},
                            {!position_axes.empty(), "--position-axes"}});
    }
};

/// Rotates x as the options say if they describe several axes, and returns the part that did it.
/// Returns nothing and leaves x alone if they describe one axis. Throws InputError for options that
/// contradict each other, and for positions or grids that do not fit the tokens.
std::optional<Part> rotate_by_axes(TensorView<float> x, const ModelAndPositions& read,
                                   const AxisArguments& arguments, Engine& engine,
                                   Direction direction);

}  // namespace ropescope::cli
