// A fault in positions that implementations really had, as ways to make the same positions. A plan
// is an IdPlan (id_faults.h) or a GridPlan (grid_faults.h).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ropescope {

/// One way to make a fault: changes one thing about the plan whose positions are right.
template <typename Plan>
struct PositionVariation {
    std::string how;  ///< a sentence about the positions
    /// Nothing if the layout has nothing that this could concern.
    std::function<std::optional<typename Plan::Made>(const Plan& right)> make;
};

template <typename Plan>
struct PositionFault {
    std::string_view code;      ///< "ids.axes_swapped"
    std::string_view shown_by;  ///< what of a layout makes the positions differ from right ones
    /// Whether the layout has what the fault is about; null: every layout has.
    bool (*concerns)(const Plan& right) = nullptr;
    std::vector<PositionVariation<Plan>> variations = {};
};

}  // namespace ropescope
