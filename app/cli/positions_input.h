// What `ropescope positions` reads: the rule of a model, and layouts of tokens.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/formats/position_array.h"
#include "core/formats/tensor.h"
#include "core/formats/token_layouts.h"
#include "core/positions/layout_positions.h"
#include "core/schemes/rotary_scheme.h"

namespace ropescope::cli {

/// A layout and the rule by which its tokens are counted.
struct PlacedLayout {
    PositionRule rule = {};   ///< of the model
    IdPlan plan = {};         ///< of the layout, unless the rule is a GridRule
    std::string origin = {};  ///< the file of the layout, and its name there
    /// What was inferred about the model, in words; empty if its family is known.
    std::string inferred = {};

    bool on_grids() const { return std::holds_alternative<GridRule>(rule); }
    bool one_axis() const { return std::holds_alternative<SequenceRule>(rule); }
    LayoutPositions positions() const;
};

struct PlacedLayouts {
    std::vector<PlacedLayout> layouts;
    /// What the files leave open, and where the layouts replace what the configuration says.
    std::vector<std::string> remarks;
};

/// Reads the model's rule and the layouts of a file, or the one called `name`. Throws InputError
/// that names the file.
PlacedLayouts read_placed_layouts(const std::string& config, const std::string& part,
                                  const std::string& layouts, const std::string& name,
                                  PositionVersion version);

// Positions of somebody's making, which `ropescope positions --check` judges.

/// Positions as a file has them.
struct GivenPositions {
    Tensor positions;
    std::string order;  ///< a letter for each of their axes, as positions_in_order() takes it
    std::optional<Tensor> deltas = {};
};

/// Reads a .npy, or `position_ids` and perhaps `rope_deltas` of a .safetensors, whose axes `order`
/// names by letters. Throws InputError, which names the file and the expected shape, unless it has
/// as many axes, rows and tokens as the right positions; before the positions are read.
GivenPositions read_given(const std::string& path, const std::string& order,
                          const LayoutPositions& right, const PlacedLayout& placed);

/// "token 3 of rows[0][2], text", "decode step 1".
std::string origin_text(const TokenOrigin& origin);

// Positions of several axes in a tensor whose axes come in any order.

/// Reads a tensor of two or three axes, which `order` names by the letters a (axis), b (batch) and
/// l (position); if it is empty: al or abl. Throws InputError that names the tensor.
PositionArray read_positions(const Tensor& file, const std::string& order);

}  // namespace ropescope::cli
