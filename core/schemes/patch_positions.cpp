// Takes the positions of a grid's patches apart into frames, rows and columns.
#include "core/schemes/patch_positions.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/positions/grid_rule.h"
#include "core/positions/multimodal_ids.h"

namespace ropescope {
namespace {

/// From `at(axis, patch)`, which gives the position of any patch.
template <typename At>
PatchPositions taken_apart(Index axes, const PatchGrid& grid, const At& at) {
    PatchPositions positions;
    const auto steps = [&](Index axis, Index count, Index PatchIndex::*side) {
        std::vector<double> along;
        for (Index i = 0; i < count; ++i) {
            PatchIndex patch;
            patch.*side = i;
            along.push_back(at(axis, patch) - positions.first[axis]);
        }
        return along;
    };
    for (Index axis = 0; axis < axes; ++axis) {
        positions.first.push_back(at(axis, PatchIndex{}));
        positions.frames.push_back(steps(axis, grid.frames, &PatchIndex::frame));
        positions.rows.push_back(steps(axis, grid.rows, &PatchIndex::row));
        positions.columns.push_back(steps(axis, grid.columns, &PatchIndex::column));
    }
    return positions;
}

PatchPositions of_grid(const GridRule& rule, const PatchGrid& grid) {
    validate(rule, grid);
    const Index axes = std::ssize(rule.axes);
    std::vector<GridLine> lines;
    for (const Coordinate& axis : rule.axes) {
        lines.push_back(grid_line(axis, rule, grid));
    }
    return taken_apart(axes, grid, [&](Index axis, const PatchIndex& patch) {
        const GridSide side = rule.axes[axis].side;
        return lines[axis].at(side == GridSide::frame ? patch.frame
                              : side == GridSide::row ? patch.row
                                                      : patch.column);
    });
}

bool has_time_stamps(const MultimodalRule& rule) {
    return rule.family == MultimodalFamily::qwen3_vl || rule.family == MultimodalFamily::glm4v;
}

/// The tokens of the grid, and what stands between its frames.
TokenLayout layout_of(const MultimodalRule& rule, const PatchGrid& grid) {
    const PatchGrid patches{grid.frames, grid.rows * rule.merge, grid.columns * rule.merge};
    TokenLayout layout;
    std::vector<Segment>& row = layout.rows.emplace_back();
    if (grid.frames == 1) {
        row.push_back({.kind = SegmentKind::image, .grid = patches});
    } else if (!has_time_stamps(rule)) {
        row.push_back(
            {.kind = SegmentKind::video,
             .grid = {grid.frames * rule.merged_frames(), patches.rows, patches.columns}});
    } else {
        for (Index frame = 0; frame < grid.frames; ++frame) {
            row.push_back({.kind = SegmentKind::text, .text = kTimeStampTokens});
            row.push_back({.kind = SegmentKind::frame, .grid = {1, patches.rows, patches.columns}});
        }
    }
    return layout;
}

PatchPositions of_language_model(const MultimodalRule& rule, const PatchGrid& grid) {
    const MultimodalIds ids =
        multimodal_ids(rule, PositionVersion::transformers_5, layout_of(rule, grid));
    const Index text = grid.frames > 1 && has_time_stamps(rule) ? kTimeStampTokens : 0;
    const Index columns = grid.columns + (rule.family == MultimodalFamily::hunyuan_vl ? 1 : 0);
    const Index frame_tokens = text + grid.rows * columns;
    return taken_apart(rule.axes(), grid, [&](Index axis, const PatchIndex& patch) {
        const Index token = patch.frame * frame_tokens + text + patch.row * columns + patch.column;
        return to_double(ids.at(axis, 0, token));
    });
}

/// Text counts in all axes, or in one, or in none.
PatchPositions counted(Index axes, const PatchGrid& grid, Index first_axis, double step) {
    return taken_apart(axes, grid, [&](Index axis, const PatchIndex& patch) {
        const Index token = (patch.frame * grid.rows + patch.row) * grid.columns + patch.column;
        return axis < first_axis ? 0.0 : step * to_double(token);
    });
}

PatchPositions text_beside(const GridRule& rule, const PatchGrid& grid) {
    const Index axes = std::ssize(rule.axes);
    switch (rule.text) {
        case TextPositions::origin:
            return counted(axes, grid, 0, 0.0);
        case TextPositions::last:
            return counted(axes, grid, axes - 1, 1.0);
        case TextPositions::beyond:
            return counted(axes, grid, 0, 1.0);
        case TextPositions::none:
        case TextPositions::still:
            break;
    }
    throw InputError(
        fmt::format("tokens: {}; give patches", rule.text == TextPositions::still
                                                    ? "the text of this model does not turn"
                                                    : "this part of the model sees no text"));
}

}  // namespace

double PatchPositions::between(Index axis, const PatchIndex& from, const PatchIndex& to) const {
    return step(axis, to) - step(axis, from);
}

PatchPositions patch_positions(const RotaryScheme& scheme, const PatchGrid& grid) {
    if (const auto* rule = std::get_if<GridRule>(&scheme.positions)) {
        return of_grid(*rule, grid);
    }
    if (const auto* rule = std::get_if<MultimodalRule>(&scheme.positions)) {
        return of_language_model(*rule, grid);
    }
    throw InputError("tokens: this model has one position a token and no patches; give text");
}

PatchPositions text_positions(const RotaryScheme& scheme, const PatchGrid& grid) {
    const auto* rule = std::get_if<GridRule>(&scheme.positions);
    return rule != nullptr ? text_beside(*rule, grid)
                           : counted(std::ssize(scheme.axes), grid, 0, 1.0);
}

}  // namespace ropescope
