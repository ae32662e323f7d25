// Writes the positions view's table for CSV and its text report.
#include <fmt/format.h>

#include "app/figures/positions/positions.h"
#include "app/figures/shared/text.h"

namespace ropescope::figures {
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
