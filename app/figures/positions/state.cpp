// Computes the state of the positions view.
#include <algorithm>
#include <fmt/format.h>

#include "app/figures/positions/positions.h"
#include "app/scene/axes_grid.h"

namespace ropescope::figures {
namespace {

/// The first row of the batch; a second one is there only to make padding.
LayoutPositions first_row(const LayoutPositions& all) {
    LayoutPositions row{.axes = all.axes, .batch = 1, .length = all.length};
    for (Index axis = 0; axis < std::ssize(all.axes); ++axis) {
        for (Index token = 0; token < all.length; ++token) {
            row.values.push_back(all.at(axis, 0, token));
        }
    }
    row.origins.assign(all.origins.begin(), all.origins.begin() + all.length);
    row.deltas = {all.deltas.front()};
    return row;
}

CountedTokens counted(std::string name, const IdPlan& plan) {
    const LayoutPositions positions = first_row(id_positions(plan));
    return {std::move(name), positions, segment_ranges(positions, plan)};
}

/// Ids that are not those of a plan.
CountedTokens counted(std::string name, const CountedTokens& right, const MultimodalIds& ids) {
    CountedTokens tokens{std::move(name), right.positions, {}};
    for (Index axis = 0; axis < 3; ++axis) {
        for (Index token = 0; token < ids.length; ++token) {
            tokens.positions.values[axis * ids.length + token] = to_double(ids.at(axis, 0, token));
        }
    }
    tokens.ranges = segment_ranges(tokens.positions);
    add_jumps(tokens.positions, tokens.ranges);
    return tokens;
}

std::vector<Index> differing_tokens(const PositionsState& state, const LayoutPositions& below) {
    std::vector<Index> tokens;
    for (Index token = 0; token < state.length(); ++token) {
        bool differs = false;
        for (Index axis = 0; axis < 3; ++axis) {
            differs |= state.right.positions.at(axis, 0, token) != below.at(axis, 0, token);
        }
        if (differs && !state.is_padding(token)) {
            tokens.push_back(token);
        }
    }
    return tokens;
}

/// Takes the first way to make the fault that changes an id.
void compare_with_fault(const std::string& code, PositionsState& state) {
    const IdFault* fault = find_id_fault(code);
    state.unseen = fault;
    for (const IdVariation& variation : fault->variations) {
        const auto ids = variation.make(state.plan);
        if (!ids) {
            continue;
        }
        CountedTokens below = counted(code, state.right, *ids);
        state.differing = differing_tokens(state, below.positions);
        if (!state.differing.empty()) {
            state.below = std::move(below);
            state.how = variation.how;
            state.unseen = nullptr;
            return;
        }
    }
}

std::string version_text(PositionVersion version) {
    return std::string(to_string(version));
}

}  // namespace

Index PositionsState::tokens() const {
    Index count = 0;
    for (Index token = 0; token < length(); ++token) {
        count += is_padding(token) ? 0 : 1;
    }
    return count;
}

Index PositionsState::largest() const {
    double largest = 0;
    for (const SegmentRange& range : right.ranges) {
        for (const auto& [low, high] : range.ranges) {
            largest = range.first.kind == TokenKind::padding ? largest : std::max(largest, high);
        }
    }
    return round_to_index(largest);
}

PositionsState make_positions_state(const Scene& scene) {
    PositionsState state{.plan = id_plan(scene)};
    state.right = counted(version_text(state.plan.version), state.plan);
    if (scene.positions_compare.starts_with("ids.")) {
        compare_with_fault(scene.positions_compare, state);
    } else if (scene.positions_compare != "none") {
        IdPlan other = state.plan;
        other.version = position_version(scene.positions_compare);
        state.below = counted(version_text(other.version), other);
        state.differing = differing_tokens(state, state.below->positions);
    }
    return state;
}

plot::Text kind_words(const PositionsState& state, const TokenOrigin& token) {
    const std::string kind(to_string(token.kind));
    if (!token.in_segment() || token.kind == TokenKind::text) {
        return kind;
    }
    const PatchGrid& grid = state.plan.layout.rows[token.row][token.segment].grid;
    return grid.frames == 1
               ? plot::say("{} {} × {}", kind, grid.rows, grid.columns)
               : plot::say("{} {} × {} × {}", kind, grid.frames, grid.rows, grid.columns);
}

}  // namespace ropescope::figures
