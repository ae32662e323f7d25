// Faults in positions that are counted on grids of patches, each as a way to make the same
// positions. Sources: grid_faults.cpp, grid_place_faults.cpp.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/positions/grid_rule.h"
#include "core/positions/layout_positions.h"
#include "core/positions/position_fault.h"

namespace ropescope {

/// What the positions of a layout are made of.
struct GridPlan {
    using Made = LayoutPositions;
    /// Two faults at once are looked for in at most so many tokens: a few thousand pairs are tried.
    static constexpr Index kMostTokensOfPairs = 1024;

    GridRule rule = {};
    TokenLayout layout = {};
    /// Makes the values from the rest of the plan, if it is set and gives some: a second fault,
    /// done to what a first one has changed.
    std::function<std::optional<LayoutPositions>(const GridPlan& changed)> second = {};

    /// Throws InputError as grid_layout_positions() does.
    LayoutPositions positions() const;
};

using GridVariation = PositionVariation<GridPlan>;
using GridFault = PositionFault<GridPlan>;

/// The faults that a model with this rule can have with this layout, in the order in which they are
/// named; each has a variation at least.
std::vector<GridFault> grid_faults(const GridPlan& right);

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

/// The positions of the plan after `change(plan)`.
template <typename Change>
LayoutPositions changed_positions(GridPlan plan, Change change) {
    change(plan);
    return plan.positions();
}

/// The positions of the plan in which each patch has the place of another patch of its grid:
/// `places(grid, right)` gives the places in the order of the tokens, from the right ones.
using MovePatches =
    std::function<std::vector<GridPatch>(const PatchGrid& grid, std::vector<GridPatch> right)>;
LayoutPositions with_moved_patches(const GridPlan& plan, const MovePatches& places);

/// The positions of the plan with those of its patches, or of its text, replaced by
/// `edit(axis, value, token)`.
struct EditedToken {
    Index in_row = 0;      ///< number of the token in its row
    Index in_segment = 0;  ///< and in its segment; for text, among all text of the row
    PatchGrid grid = {};   ///< of a patch
};
using EditValue = std::function<double(Index axis, double value, const EditedToken& token)>;
LayoutPositions with_edited_patches(const GridPlan& plan, const EditValue& edit);
LayoutPositions with_edited_text(const GridPlan& plan, const EditValue& edit);

}  // namespace ropescope
