// Lists the faults of positions on grids, and edits the positions of patches and of text.
#include "core/positions/grid_faults.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <tuple>

#include "core/faults/codes.h"

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

Index axis_of_side(const GridRule& rule, GridSide side) {
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

// Faults of positions on grids in which the right numbers stand at the wrong axis or token.

namespace {

/// The right positions with the axes in another order.
LayoutPositions in_axis_order(const GridPlan& right, const std::vector<Index>& order) {
    LayoutPositions positions = right.positions();
    const Index each = positions.batch * positions.length;
    std::vector<double> values;
    values.reserve(positions.values.size());
    for (const Index axis : order) {
        const auto begin = positions.values.begin() + axis * each;
        values.insert(values.end(), begin, begin + each);
    }
    positions.values = std::move(values);
    return positions;
}

std::vector<Index> axis_numbers(const GridRule& rule) {
    std::vector<Index> order(rule.axes.size());
    std::iota(order.begin(), order.end(), Index{0});
    return order;
}

/// The order in which the axes of rows and columns have changed places; the right one if the rule
/// does not have both.
std::vector<Index> swapped_axes(const GridRule& rule) {
    std::vector<Index> order = axis_numbers(rule);
    const Index row = axis_of_side(rule, GridSide::row),
                column = axis_of_side(rule, GridSide::column);
    if (row >= 0 && column >= 0) {
        std::swap(order[row], order[column]);
    }
    return order;
}

GridFault axes_swapped(const GridPlan& right) {
    GridFault fault{faults::code("ids.axes_swapped"),
                    "a grid with more than one patch off its diagonal"};
    if (!has_patches(right) || swapped_axes(right.rule) == axis_numbers(right.rule)) {
        return fault;
    }
    fault.variations = {
        {"The positions of rows and columns have changed places.",
         [](const GridPlan& plan) { return in_axis_order(plan, swapped_axes(plan.rule)); }},
        {"The grid has its columns for rows and its rows for columns.", [](const GridPlan& plan) {
             return changed_positions(plan, [](GridPlan& other) {
                 for (auto& row : other.layout.rows) {
                     for (Segment& segment : row) {
                         std::swap(segment.grid.rows, segment.grid.columns);
                     }
                 }
             });
         }}};
    return fault;
}

GridFault axes_order(const GridPlan& right) {
    GridFault fault{faults::code("ids.axes_order"), "patches with other positions in each axis"};
    std::vector<Index> order = axis_numbers(right.rule);
    while (has_patches(right) && std::ranges::next_permutation(order).found) {
        if (order == swapped_axes(right.rule)) {
            continue;
        }
        std::vector<std::string> names;
        for (const Index axis : order) {
            names.push_back(right.rule.axes[axis].axis);
        }
        fault.variations.push_back(
            {fmt::format("The axes come as {}.", fmt::join(names, ", ")),
             [order](const GridPlan& plan) { return in_axis_order(plan, order); }});
    }
    return fault;
}

/// Patches in the order of key(patch).
template <typename Key>
GridVariation sorted_by(std::string how, Key key) {
    return {std::move(how), [key](const GridPlan& plan) {
                return with_moved_patches(plan, [&](const PatchGrid&, std::vector<GridPatch> all) {
                    std::ranges::sort(all, {}, key);
                    return all;
                });
            }};
}

GridFault column_order(const GridPlan& right) {
    GridFault fault{faults::code("ids.column_order"),
                    "a grid with more than one row and more than one column"};
    if (has_patches(right)) {
        fault.variations = {
            sorted_by("The patches of a frame are counted column by column.",
                      [](const auto& p) { return std::tuple(p.frame, p.column, p.row); })};
    }
    return fault;
}

GridFault frame_order(const GridPlan& right) {
    GridFault fault{faults::code("ids.frame_order"), "a video with more than one patch in a frame"};
    if (has_frames(right)) {
        fault.variations = {
            sorted_by("The frames of a patch come one after the other, and not the patches of a "
                      "frame: row, column, frame.",
                      [](const auto& p) { return std::tuple(p.row, p.column, p.frame); }),
            sorted_by("The tokens come as column, row, frame.",
                      [](const auto& p) { return std::tuple(p.column, p.row, p.frame); }),
            sorted_by("The tokens come as row, frame, column.",
                      [](const auto& p) { return std::tuple(p.row, p.frame, p.column); }),
            sorted_by("The tokens come as column, frame, row.",
                      [](const auto& p) { return std::tuple(p.column, p.frame, p.row); })};
    }
    return fault;
}

/// Patches in blocks of merge x merge, as far as the grid has such blocks.
GridVariation in_blocks(Index merge) {
    return {fmt::format("The patches are counted in blocks of {0} x {0}, and they come row by row.",
                        merge),
            [merge](const GridPlan& plan) {
                return with_moved_patches(
                    plan, [merge](const PatchGrid& grid, std::vector<GridPatch> right) {
                        const bool whole = grid.rows % merge == 0 && grid.columns % merge == 0;
                        return whole ? patches_in_order(grid, merge) : right;
                    });
            }};
}

GridFault block_order(const GridPlan& right) {
    GridFault fault{faults::code("ids.block_order"),
                    "a grid of two blocks of merged patches side by side"};
    if (!has_patches(right)) {
        return fault;
    }
    if (right.rule.merge == 1) {
        fault.variations = {in_blocks(2)};
    } else {
        fault.variations = {
            sorted_by(fmt::format("The patches are counted row by row, and they come in blocks of "
                                  "{0} x {0}.",
                                  right.rule.merge),
                      [](const auto& p) { return std::tuple(p.frame, p.row, p.column); })};
    }
    return fault;
}

/// Source: get_vision_window_index in vision_utils.py of huggingface/transformers.
GridFault window_order(const GridPlan& right) {
    GridFault fault{faults::code("ids.window_order"), "a grid that is larger than a window"};
    const Index side = right.rule.window * right.rule.merge;
    if (side > 0 && has_patches(right)) {
        fault.variations = {sorted_by(
            fmt::format("The patches come window by window, {0} x {0} patches each, as the layers "
                        "with window attention take them.",
                        side),
            [side](const auto& p) { return std::tuple(p.frame, p.row / side, p.column / side); })};
    }
    return fault;
}

/// The side is counted from its other end.
GridVariation reversed(std::string how, Index PatchGrid::*side, Index GridPatch::*place) {
    return {std::move(how), [side, place](const GridPlan& plan) {
                return with_moved_patches(plan,
                                          [&](const PatchGrid& grid, std::vector<GridPatch> all) {
                                              for (GridPatch& patch : all) {
                                                  patch.*place = grid.*side - 1 - patch.*place;
                                              }
                                              return all;
                                          });
            }};
}

GridFault reversed_order(const GridPlan& right) {
    GridFault fault{faults::code("ids.reversed"), "more than one row, column or frame"};
    if (has_patches(right)) {
        fault.variations = {
            reversed("Rows are counted from the bottom.", &PatchGrid::rows, &GridPatch::row),
            reversed("Columns are counted from the right.", &PatchGrid::columns,
                     &GridPatch::column)};
    }
    if (has_frames(right)) {
        fault.variations.push_back(
            reversed("Frames are counted from the last.", &PatchGrid::frames, &GridPatch::frame));
    }
    return fault;
}

GridFault time_missing(const GridPlan& right) {
    GridFault fault{faults::code("ids.time_missing"), "a video of more than one frame"};
    if (has_frames(right) && axis_of_side(right.rule, GridSide::frame) >= 0) {
        fault.variations = {
            {"All frames of a video have the time of the first.", [](const GridPlan& plan) {
                 return with_moved_patches(plan, [](const PatchGrid&, std::vector<GridPatch> all) {
                     for (GridPatch& patch : all) {
                         patch.frame = 0;
                     }
                     return all;
                 });
             }}};
    }
    return fault;
}

GridFault rows_repeated(const GridPlan& right) {
    GridFault fault{faults::code("ids.rows_repeated"), "rows that are not alike"};
    if (right.layout.rows.size() > 1) {
        fault.variations = {{"All rows have the positions of the first.", [](const GridPlan& plan) {
                                 LayoutPositions all = plan.positions();
                                 const Index each = all.batch * all.length;
                                 for (Index i = 0; i < std::ssize(all.values); ++i) {
                                     all.values[i] =
                                         all.values[i / each * each + i % each % all.length];
                                 }
                                 return all;
                             }}};
    }
    return fault;
}

}  // namespace

std::vector<GridFault> grid_order_faults(const GridPlan& right) {
    return {axes_swapped(right),   axes_order(right),   column_order(right),
            frame_order(right),    block_order(right),  window_order(right),
            reversed_order(right), time_missing(right), rows_repeated(right)};
}

}  // namespace ropescope
