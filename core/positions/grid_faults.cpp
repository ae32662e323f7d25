// Lists the faults of positions on grids, and edits the positions of patches and of text.
#include "core/positions/grid_faults.h"

#include <algorithm>

namespace ropescope {
namespace {

bool is_text(const Segment& segment) {
    return segment.kind == SegmentKind::text;
}

LayoutPositions edited(const GridPlan& plan, TokenKind first, TokenKind last,
                       const EditValue& edit) {
    LayoutPositions positions = plan.positions();
    for (Index b = 0; b < positions.batch; ++b) {
        Index texts = 0;
        for (Index i = 0; i < positions.length; ++i) {
            const TokenOrigin& origin = positions.origin(b, i);
            if (origin.kind < first || origin.kind > last) {
                continue;
            }
            EditedToken token{i, origin.index, {}};
            if (origin.kind == TokenKind::text) {
                token.in_segment = texts++;
            } else {
                token.grid = plan.layout.rows[origin.row][origin.segment].grid;
            }
            for (Index axis = 0; axis < std::ssize(positions.axes); ++axis) {
                double& value =
                    positions.values[(axis * positions.batch + b) * positions.length + i];
                value = edit(axis, value, token);
            }
        }
    }
    return positions;
}

/// The number that each place of the grid has among the tokens.
std::vector<Index> numbers_of_places(const PatchGrid& grid, const std::vector<GridPatch>& tokens) {
    std::vector<Index> numbers(tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const GridPatch& patch = tokens[i];
        numbers[(patch.frame * grid.rows + patch.row) * grid.columns + patch.column] =
            static_cast<Index>(i);
    }
    return numbers;
}

/// For each token of a grid, the token that has its position when all is right.
std::vector<Index> takes_from(const GridPlan& plan, const PatchGrid& grid,
                              const MovePatches& places) {
    const std::vector<GridPatch> right = patches_in_order(grid, plan.rule.merge);
    const std::vector<Index> numbers = numbers_of_places(grid, right);
    std::vector<Index> from;
    for (const GridPatch& patch : places(grid, right)) {
        from.push_back(
            numbers[(patch.frame * grid.rows + patch.row) * grid.columns + patch.column]);
    }
    return from;
}

}  // namespace

LayoutPositions GridPlan::positions() const {
    LayoutPositions positions = grid_layout_positions(rule, layout);
    if (second) {
        std::optional<LayoutPositions> made = second({rule, layout, {}});
        if (made && made->values.size() == positions.values.size()) {
            positions.values = std::move(made->values);
        }
    }
    return positions;
}

Index axis_of_side(const GridRule& rule, Side side) {
    const auto found = std::ranges::find(rule.axes, side, &Coordinate::side);
    return found == rule.axes.end() ? -1 : found - rule.axes.begin();
}

bool has_patches(const GridPlan& plan) {
    return any_segment(plan.layout, [](const Segment& segment) { return !is_text(segment); });
}

bool has_text(const GridPlan& plan) {
    return any_segment(plan.layout,
                       [](const Segment& segment) { return is_text(segment) && segment.text > 0; });
}

bool has_frames(const GridPlan& plan) {
    return any_segment(plan.layout, [](const Segment& segment) {
        return !is_text(segment) && segment.grid.frames > 1;
    });
}

bool has_second_grid(const GridPlan& plan) {
    return std::ranges::any_of(plan.layout.rows, [](const std::vector<Segment>& row) {
        return std::ssize(row) - std::ranges::count_if(row, is_text) > 1;
    });
}

LayoutPositions with_moved_patches(const GridPlan& plan, const MovePatches& places) {
    const LayoutPositions right = plan.positions();
    LayoutPositions moved = right;
    for (Index b = 0; b < right.batch; ++b) {
        std::vector<Index> from;
        for (Index i = 0; i < right.length; ++i) {
            const TokenOrigin& origin = right.origin(b, i);
            if (!origin.in_segment() || origin.kind == TokenKind::text) {
                continue;
            }
            if (origin.index == 0) {
                from = takes_from(plan, plan.layout.rows[origin.row][origin.segment].grid, places);
            }
            const Index other = i - origin.index + from[origin.index];
            for (Index axis = 0; axis < std::ssize(right.axes); ++axis) {
                moved.values[(axis * right.batch + b) * right.length + i] =
                    right.at(axis, b, other);
            }
        }
    }
    return moved;
}

LayoutPositions with_edited_patches(const GridPlan& plan, const EditValue& edit) {
    return edited(plan, TokenKind::image, TokenKind::frame, edit);
}

LayoutPositions with_edited_text(const GridPlan& plan, const EditValue& edit) {
    return edited(plan, TokenKind::text, TokenKind::text, edit);
}

std::vector<GridFault> grid_faults(const GridPlan& right) {
    std::vector<GridFault> faults = grid_order_faults(right);
    std::ranges::move(grid_place_faults(right), std::back_inserter(faults));
    std::erase_if(faults, [](const GridFault& fault) { return fault.variations.empty(); });
    return faults;
}

}  // namespace ropescope
