// Computes coordinates along the sides of a grid.
#include "core/positions/grid_lines.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/base/error.h"

namespace ropescope {
namespace {

/// `count` numbers from first to last, both included.
GridLine from_to(double first, double last, Index count) {
    return {first, count > 1 ? (last - first) / to_double(count - 1) : 0.0};
}

GridLine centres(Index patches) {
    const double n = to_double(patches);
    return {1.0 / n - 1.0, 2.0 / n};
}

/// Where the crop of the base grid lies that has the shape of `grid`. Rounds as Python does, halves
/// to even. Source: huggingface/diffusers, pipelines/cogvideo/pipeline_cogvideox.py,
/// get_resize_crop_region_for_grid; models/embeddings.py, get_3d_rotary_pos_embed.
GridLine cropped(const PatchGrid& base, const PatchGrid& grid, Side side) {
    const double height = to_double(base.rows), width = to_double(base.columns);
    const double rows = to_double(grid.rows), columns = to_double(grid.columns);
    const bool tall = rows / columns > height / width;
    const double resized_height = tall ? height : std::nearbyint(width / columns * rows);
    const double resized_width = tall ? std::nearbyint(height / rows * columns) : width;
    const bool down = side == Side::row;
    const double size = down ? resized_height : resized_width;
    const double start = std::nearbyint(((down ? height : width) - size) / 2.0);
    const double n = down ? rows : columns;
    return from_to(start, (start + size) * (n - 1.0) / n, patches_of(grid, side));
}

}  // namespace

Index patches_of(const PatchGrid& grid, Side side) {
    switch (side) {
        case Side::frame:
            return grid.frames;
        case Side::row:
            return grid.rows;
        case Side::column:
            return grid.columns;
        case Side::none:
            break;
    }
    return 1;
}

std::vector<GridPatch> patches_in_order(const PatchGrid& grid, Index merge) {
    std::vector<GridPatch> patches;
    patches.reserve(grid.tokens());
    for (Index frame = 0; frame < grid.frames; ++frame) {
        for (Index block = 0; block < grid.rows * grid.columns; block += merge * merge) {
            const Index column_blocks = grid.columns / merge;
            const Index at = block / (merge * merge);
            for (Index k = 0; k < merge * merge; ++k) {
                patches.push_back({frame, at / column_blocks * merge + k / merge,
                                   at % column_blocks * merge + k % merge});
            }
        }
    }
    return patches;
}

GridLine grid_line(const Coordinate& axis, const GridRule& rule, const PatchGrid& grid) {
    const Index count = patches_of(grid, axis.side);
    const double n = to_double(count);
    switch (axis.spacing) {
        case Spacing::plain:
            return {axis.offset, axis.side == Side::none ? 0.0 : axis.scale};
        case Spacing::by_side:
            return {axis.scale * axis.offset / n, axis.scale / n};
        case Spacing::centred:
            return {-to_double(count - count / 2), 1.0};
        case Spacing::ends:
            return from_to(-1.0, 1.0, count);
        case Spacing::centres:
            return centres(count);
        case Spacing::centres_of_longer:
            return centres(std::max(grid.rows, grid.columns));
        case Spacing::centres_of_shorter:
            return centres(std::min(grid.rows, grid.columns));
        case Spacing::cropped:
            return cropped(rule.base, grid, axis.side);
    }
    return {};
}

void validate(const GridRule& rule, const PatchGrid& grid) {
    validate_size(grid, "grid");
    const auto text = fmt::format("{} x {} x {}", grid.frames, grid.rows, grid.columns);
    if (grid.rows % rule.merge != 0 || grid.columns % rule.merge != 0) {
        throw InputError(
            fmt::format("grid: {} is not made of blocks of {} x {} patches; give multiples of {}",
                        text, rule.merge, rule.merge, rule.merge));
    }
    if (rule.square && grid.rows != grid.columns) {
        throw InputError(fmt::format(
            "grid: {} is not square, and this model takes the side as the root of the number of "
            "patches; give as many rows as columns",
            text));
    }
}

}  // namespace ropescope
