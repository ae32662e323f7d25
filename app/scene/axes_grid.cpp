// Reads the grid of patches of a scene, and holds its patches to it.
#include "app/scene/axes_grid.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/parse_list.h"
#include "core/positions/grid_rule.h"
#include "core/positions/layout_text.h"

namespace ropescope {
namespace {

/// A parameter that points to a frame, a row or a column.
struct Pointer {
    std::string_view parameter;
    std::int64_t Scene::*at;
    Index PatchGrid::*side;
    std::string_view sides;
};

constexpr std::array kPointers = {
    Pointer{"axes_frame", &Scene::axes_frame, &PatchGrid::frames, "frames"},
    Pointer{"axes_row", &Scene::axes_row, &PatchGrid::rows, "rows"},
    Pointer{"axes_column", &Scene::axes_column, &PatchGrid::columns, "columns"},
    Pointer{"axes_fixed_row", &Scene::axes_fixed_row, &PatchGrid::rows, "rows"},
    Pointer{"axes_fixed_column", &Scene::axes_fixed_column, &PatchGrid::columns, "columns"},
};

std::optional<PatchGrid> grid_within_limits(const Scene& scene) {
    const std::optional<PatchGrid> grid = parse_grid(scene.axes_grid);
    const bool fits = grid && grid->frames <= kLongestSide && grid->rows <= kLongestSide &&
                      grid->columns <= kLongestSide && grid->tokens() <= kMostPatches;
    return fits ? grid : std::nullopt;
}

}  // namespace

PatchGrid patch_grid(const Scene& scene) {
    if (const std::string wrong = misread(split_list(scene.axes_grid, 'x')); !wrong.empty()) {
        throw InputError("axes_grid: " + wrong);
    }
    const std::optional<PatchGrid> grid = grid_within_limits(scene);
    if (!grid) {
        throw InputError(fmt::format(
            "axes_grid: {} is not a grid of 1 to {} rows and columns; give rows and columns like "
            "12x18, or frames before them like 4x12x18, at most {} patches in all",
            in_quotes(scene.axes_grid), kLongestSide, kMostPatches));
    }
    return *grid;
}

std::optional<Index> last_of_grid(const Scene& scene, std::string_view parameter) {
    const auto* const found = std::ranges::find(kPointers, parameter, &Pointer::parameter);
    if (found == kPointers.end()) {
        return std::nullopt;
    }
    const std::optional<PatchGrid> grid = grid_within_limits(scene);
    return grid ? std::optional((*grid).*(found->side) - 1) : std::nullopt;
}

Scene with_patches_inside(Scene scene, const std::vector<std::string_view>& changed) {
    for (const Pointer& pointer : kPointers) {
        const bool keeps = std::ranges::find(changed, pointer.parameter) != changed.end();
        const std::optional<Index> last = last_of_grid(scene, pointer.parameter);
        if (last && !keeps) {
            scene.*pointer.at = std::min(scene.*pointer.at, *last);
        }
    }
    return scene;
}

void require_patches_inside(const Scene& scene) {
    const PatchGrid grid = patch_grid(scene);
    for (const Pointer& pointer : kPointers) {
        const Index count = grid.*(pointer.side);
        if (scene.*pointer.at >= count) {
            throw InputError(fmt::format(
                "{}: {} lies outside of {}, which has {} {}; give 0 to {}", pointer.parameter,
                scene.*pointer.at, in_quotes(scene.axes_grid), count, pointer.sides, count - 1));
        }
    }
}

// Reads the layout of a scene's positions.

PositionVersion position_version(std::string_view name) {
    return name == "transformers_4" ? PositionVersion::transformers_4
                                    : PositionVersion::transformers_5;
}

IdPlan id_plan(const Scene& scene) {
    const MultimodalRule rule{
        .family = enum_value<MultimodalFamily>(scene.positions_family).value(),
        .tokens_per_second = to_double(scene.positions_tokens_per_second),
        .chunk_steps = 2 * scene.positions_tokens_per_second};  // 2 seconds, as released
    try {
        IdPlan plan{.rule = rule,
                    .version = position_version(scene.positions_version),
                    .layout = parse_layout_text(scene.positions_layout, rule)};
        layout_ids(plan);  // refuses what cannot be counted
        return plan;
    } catch (const InputError& error) {
        throw InputError(fmt::format("positions_layout: {}", error.what()));
    }
}

// Opens models for scenes, and finds out whether they turn in several axes.

Model open_scene_model(const std::string& name) {
    Model model = open_with_tensors(name, Allowed::regular_file);
    if (model.text || model.parts.empty()) {
        return model;
    }
    throw InputError(model.turns_in_several_axes()
                         ? fmt::format("{}; the view axes shows this model with axes_model={}",
                                       model.unread_text, printable(name))
                         : model.unread_text);
}

bool turns_in_several_axes(const std::string& name) {
    try {
        return open_model(name, Allowed::regular_file).turns_in_several_axes();
    } catch (const InputError&) {
        return false;
    }
}

bool shows_text_alone(const Scene& scene) {
    return scene.model == scene.axes_model;
}

}  // namespace ropescope
