// Faults in positions that are counted on grids of patches, each as a way to make the same
// positions. Sources: grid_faults.cpp, grid_order_faults.cpp, grid_place_faults.cpp.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/positions/grid_lines.h"
#include "core/positions/layout_positions.h"

namespace ropescope {

/// Positions [axes, batch, length] of a layout.
using GridValues = std::vector<double>;

/// What the positions of a layout are made of.
struct GridPlan {
    GridRule rule = {};
    TokenLayout layout = {};
    /// Makes the values from the rest of the plan, if it is set: a second fault, done to what a
    /// first one has changed.
    std::function<GridValues(const GridPlan& changed)> second = {};

    /// Throws InputError as grid_layout_positions() does.
    LayoutPositions positions() const;
};

/// One way to make a fault.
struct GridVariation {
    std::string how;  ///< a sentence about the positions
    std::function<GridValues(const GridPlan& right)> make;
};

struct GridFault {
    std::string_view code;      ///< "ids.axes_swapped"
    std::string_view shown_by;  ///< what of a layout makes the positions differ from right ones
    std::vector<GridVariation> variations;
};

/// The faults that a model with this rule can have with this layout, in the order in which they are
/// named; each has a variation at least.
std::vector<GridFault> grid_faults(const GridPlan& right);
/// The codes of all faults that any plan can have.
const std::vector<std::string_view>& grid_fault_codes();

/// The parts of the list. A fault without variations does not concern the plan.
std::vector<GridFault> grid_order_faults(const GridPlan& right);
std::vector<GridFault> grid_place_faults(const GridPlan& right);

/// The number of the axis that counts a side; -1 if none does.
Index axis_of_side(const GridRule& rule, Side side);
/// Whether the layout has patches, text, a grid of more than one frame, or a second grid in a row.
bool has_patches(const GridPlan& plan);
bool has_text(const GridPlan& plan);
bool has_frames(const GridPlan& plan);
bool has_second_grid(const GridPlan& plan);

/// The values of the plan after `change(plan)`.
template <typename Change>
GridValues changed_values(GridPlan plan, Change change) {
    change(plan);
    return plan.positions().values;
}

/// The positions of the plan in which each patch has the place of another patch of its grid:
/// `places(grid, right)` gives the places in the order of the tokens, from the right ones.
using MovePatches =
    std::function<std::vector<GridPatch>(const PatchGrid& grid, std::vector<GridPatch> right)>;
GridValues with_moved_patches(const GridPlan& plan, const MovePatches& places);

/// The positions of the plan with those of its patches, or of its text, replaced by
/// `edit(axis, value, token)`.
struct EditedToken {
    Index in_row = 0;      ///< number of the token in its row
    Index in_segment = 0;  ///< and in its segment; for text, among all text of the row
    PatchGrid grid = {};   ///< of a patch
};
using EditValue = std::function<double(Index axis, double value, const EditedToken& token)>;
GridValues with_edited_patches(const GridPlan& plan, const EditValue& edit);
GridValues with_edited_text(const GridPlan& plan, const EditValue& edit);

}  // namespace ropescope
