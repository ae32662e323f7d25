// The values under the cursor in the panels of the layouts view.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "app/figures/layouts/compare.h"
#include "app/figures/layouts/walk.h"

namespace ropescope::figures {

/// Everything that the figure shows.
struct LayoutsState {
    Walk walk;
    std::optional<SystemComparison> comparison;  ///< nullopt while only the walk is shown
    std::vector<plot::Readout> pair;             ///< about the selected pair
};

/// Empty for a panel that the figure does not have.
std::vector<plot::Readout> layouts_readouts(const LayoutsState& state, std::string_view panel,
                                            plot::Point at);

}  // namespace ropescope::figures
