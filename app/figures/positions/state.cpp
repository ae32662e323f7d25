// Computes the state of the positions view.
#include <algorithm>
#include <fmt/format.h>

#include "app/figures/positions/positions.h"
#include "app/figures/shared/text.h"
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
    if (!token.in_segment() || token.kind == TokenKind::text || token.kind == TokenKind::sound) {
        return kind;
    }
    const PatchGrid& grid = state.plan.layout.rows[token.row][token.segment].grid;
    return grid.frames == 1
               ? plot::say("{} {} × {}", kind, grid.rows, grid.columns)
               : plot::say("{} {} × {} × {}", kind, grid.frames, grid.rows, grid.columns);
}

// Writes the positions view's table for CSV and its text report.

namespace {

std::vector<Index> ids(const PositionsState& state, const LayoutPositions& positions, Index axis) {
    std::vector<Index> column;
    for (Index token = 0; token < state.length(); ++token) {
        column.push_back(round_to_index(positions.at(axis, 0, token)));
    }
    return column;
}

std::string range_words(const std::pair<double, double>& range) {
    return range.first == range.second ? fmt::format("{}", range.first)
                                       : fmt::format("{} to {}", range.first, range.second);
}

/// A line for each segment.
std::string segment_lines(const PositionsState& state, const CountedTokens& counted) {
    std::vector<std::vector<std::string>> rows;
    for (const SegmentRange& range : counted.ranges) {
        rows.push_back({fmt::format("{}", range.token), fmt::format("{}", range.count),
                        kind_words(state, range.first), range_words(range.ranges[0]),
                        range_words(range.ranges[1]), range_words(range.ranges[2]),
                        range.jump.value_or(0) == 0 ? "" : fmt::format("{:+}", *range.jump)});
    }
    return fmt::format("{}\n{}", counted.name,
                       text_table({"token", "tokens", "segment", "t", "h", "w", "jump"}, rows));
}

}  // namespace

plot::DataTable positions_data(const PositionsState& state) {
    std::vector<Index> token, document, segment;
    std::vector<std::string> kind;
    for (Index i = 0; i < state.length(); ++i) {
        const TokenOrigin& origin = state.right.positions.origin(0, i);
        token.push_back(i);
        kind.emplace_back(to_string(origin.kind));
        document.push_back(origin.row);
        segment.push_back(origin.in_segment() ? origin.segment : -1);
    }
    plot::DataTable table{
        {{"token", token}, {"kind", kind}, {"document", document}, {"segment", segment}}};
    for (Index axis = 0; axis < 3; ++axis) {
        table.columns.push_back(
            {state.right.positions.axes[axis], ids(state, state.right.positions, axis)});
    }
    for (Index axis = 0; state.below && axis < 3; ++axis) {
        table.columns.push_back({state.right.positions.axes[axis] + "_below",
                                 ids(state, state.below->positions, axis)});
    }
    return table;
}

std::string positions_report(const PositionsState& state) {
    std::string text = segment_lines(state, state.right);
    if (state.below) {
        text += "\n" + segment_lines(state, *state.below);
    }
    return text;
}

}  // namespace ropescope::figures
