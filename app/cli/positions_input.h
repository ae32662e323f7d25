// What `ropescope positions` reads: the rule of a model, and layouts of tokens.
#pragma once

#include <string>
#include <vector>

#include "core/formats/token_layouts.h"
#include "core/positions/layout_positions.h"
#include "core/schemes/rotary_scheme.h"

namespace ropescope::cli {

/// A layout and the rule by which its tokens are counted.
struct PlacedLayout {
    PositionRule rule = {};   ///< of the model
    IdPlan plan = {};         ///< of the layout, unless the rule is a GridRule
    std::string origin = {};  ///< the file of the layout, and its name there

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

}  // namespace ropescope::cli
