// Lays ids and positions on grids out for a batch, and finds the runs of their segments.
#include "core/positions/layout_positions.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>

#include "core/base/error.h"

namespace ropescope {
namespace {

LayoutPositions with_ids(const IdPlan& plan, const MultimodalIds& ids,
                         std::vector<TokenOrigin> origins, bool one_axis) {
    LayoutPositions positions{
        .axes = one_axis ? std::vector<std::string>{"position"} : axis_names(plan.rule),
        .batch = ids.batch,
        .length = ids.length,
        .origins = std::move(origins),
        .deltas = one_axis ? std::vector<Index>{} : ids.deltas};
    const Index count = std::ssize(positions.axes) * ids.batch * ids.length;
    positions.values.assign(ids.ids.begin(), ids.ids.begin() + count);
    return positions;
}

void refuse(bool there, std::string_view key) {
    if (there) {
        throw InputError(fmt::format(
            "{}: this model's positions are those of patches on their grid; leave it out", key));
    }
}

/// The grids of a row, and its tokens of text.
GridTokens grid_tokens(const GridRule& rule, const std::vector<Segment>& row, Index number) {
    GridTokens tokens;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const bool is_text = row[i].kind == SegmentKind::text;
        const bool late =
            rule.text_first ? is_text && !tokens.grids.empty() : !is_text && tokens.text > 0;
        if (late && rule.text != TextPositions::none) {
            throw InputError(
                fmt::format("rows[{}][{}]: in this model text stands {} the images; give it there",
                            number, i, rule.text_first ? "before" : "behind"));
        }
        if (is_text) {
            if (row[i].text > kMaxLayoutTokens - tokens.text) {
                throw InputError(fmt::format("rows[{}]: more than {} tokens; give a shorter row",
                                             number, kMaxLayoutTokens));
            }
            tokens.text += row[i].text;
        } else {
            tokens.grids.push_back(row[i].grid);
        }
    }
    return tokens;
}

void append_origins(const GridRule& rule, const std::vector<Segment>& row, Index number,
                    std::vector<TokenOrigin>& origins) {
    const auto append = [&](TokenKind kind, Index segment, Index count) {
        for (Index i = 0; i < count; ++i) {
            origins.push_back({kind, number, segment, i});
        }
    };
    append(TokenKind::other, 0, rule.still_before);
    for (Index s = 0; s < std::ssize(row); ++s) {
        append(static_cast<TokenKind>(row[s].kind), s,
               row[s].kind == SegmentKind::text ? row[s].text : row[s].grid.tokens());
    }
    append(TokenKind::other, 0, rule.still_after);
}

/// Throws InputError before anything is built of rows of different lengths or too many tokens.
void validate(const TokenLayout& layout, const std::vector<TokenPositions>& rows) {
    for (std::size_t b = 1; b < rows.size(); ++b) {
        if (rows[b].tokens() != rows[0].tokens()) {
            throw InputError(
                fmt::format("rows[{}]: {} tokens, and rows[0] has {}; give rows of "
                            "one length",
                            b, rows[b].tokens(), rows[0].tokens()));
        }
    }
    if (layout.length && *layout.length != rows[0].tokens()) {
        throw InputError(
            fmt::format("sequence_length: {}, and the rows have {} tokens; give the segments of "
                        "that length",
                        *layout.length, rows[0].tokens()));
    }
}

std::vector<TokenPositions> rows_on_grids(const GridRule& rule, const TokenLayout& layout) {
    std::vector<TokenPositions> rows;
    Index tokens = 0;
    for (std::size_t b = 0; b < layout.rows.size(); ++b) {
        const GridTokens grids = grid_tokens(rule, layout.rows[b], std::ssize(rows));
        rows.push_back(grid_positions(rule, grids));
        tokens += rows.back().tokens();
        if (tokens > kMaxLayoutTokens) {
            throw InputError(
                fmt::format("rows: more than {} tokens; give a smaller batch", kMaxLayoutTokens));
        }
    }
    return rows;
}

/// Where a run of tokens with one origin begins and how long it is.
struct Run {
    Index token, count;
};

std::vector<Run> runs(const LayoutPositions& positions, Index b) {
    std::vector<Run> found;
    for (Index token = 0; token < positions.length; ++token) {
        const TokenOrigin& here = positions.origin(b, token);
        const bool goes_on = token > 0 && [&] {
            const TokenOrigin& before = positions.origin(b, token - 1);
            return before.kind == here.kind && before.row == here.row &&
                   before.segment == here.segment && before.index + 1 == here.index;
        }();
        if (goes_on) {
            ++found.back().count;
        } else {
            found.push_back({token, 1});
        }
    }
    return found;
}

SegmentRange range_of(const LayoutPositions& positions, Index b, const Run& run) {
    SegmentRange range{b, positions.origin(b, run.token), run.token, run.count, {}, {}};
    for (Index axis = 0; axis < std::ssize(positions.axes); ++axis) {
        const auto* const begin =
            &positions.values[(axis * positions.batch + b) * positions.length + run.token];
        const auto [least, largest] = std::minmax_element(begin, begin + run.count);
        range.ranges.emplace_back(*least, *largest);
    }
    return range;
}

/// What tells the first tokens of runs apart.
std::array<Index, 4> place(const TokenOrigin& token) {
    return {static_cast<Index>(token.kind), token.row, token.segment, token.index};
}

/// The largest position of a run.
double largest_of(const SegmentRange& range) {
    double largest = range.ranges.front().second;
    for (const auto& [low, high] : range.ranges) {
        largest = std::max(largest, high);
    }
    return largest;
}

}  // namespace

LayoutPositions id_positions(const IdPlan& plan, bool one_axis) {
    const MultimodalIds ids = layout_ids(plan);
    return with_ids(plan, ids, layout_origins(plan), one_axis);
}

LayoutPositions grid_layout_positions(const GridRule& rule, const TokenLayout& layout) {
    refuse(layout.padding != Padding::none, "padding");
    refuse(layout.packed, "packed");
    refuse(layout.decode_steps > 0, "decode_steps");
    refuse(layout.chunk.has_value(), "chunk");
    refuse(layout.shards.has_value(), "context_parallel_size");
    refuse(!layout.kept.empty(), "kept");
    refuse(any_segment(layout, [](const Segment& segment) { return segment.sound > 0; }), "audio");
    if (layout.rows.empty()) {
        throw InputError("rows: the layout has none; give a list of segments for each sequence");
    }
    const std::vector<TokenPositions> rows = rows_on_grids(rule, layout);
    validate(layout, rows);
    LayoutPositions positions{.batch = std::ssize(rows), .length = rows[0].tokens()};
    for (std::size_t a = 0; a < rule.axes.size(); ++a) {
        positions.axes.push_back(rule.axes[a].axis);
        for (const TokenPositions& row : rows) {
            const auto begin = row.values.begin() + static_cast<Index>(a) * positions.length;
            positions.values.insert(positions.values.end(), begin, begin + positions.length);
        }
    }
    for (std::size_t b = 0; b < rows.size(); ++b) {
        positions.turns.insert(positions.turns.end(), rows[b].turns.begin(), rows[b].turns.end());
        append_origins(rule, layout.rows[b], static_cast<Index>(b), positions.origins);
    }
    if (std::ranges::find(positions.turns, false) == positions.turns.end()) {
        positions.turns.clear();
    }
    return positions;
}

std::vector<SegmentRange> segment_ranges(const LayoutPositions& positions) {
    std::vector<SegmentRange> ranges;
    for (Index b = 0; b < positions.batch; ++b) {
        for (const Run& run : runs(positions, b)) {
            ranges.push_back(range_of(positions, b, run));
        }
    }
    return ranges;
}

void add_jumps(const LayoutPositions& whole, std::vector<SegmentRange>& ranges) {
    const SegmentRange* document = nullptr;
    double largest = -1;
    for (SegmentRange& range : ranges) {
        if (range.first.kind == TokenKind::padding) {
            continue;
        }
        const bool begins =
            document == nullptr || document->b != range.b || document->first.row != range.first.row;
        if (!begins && range.first.index == 0) {
            range.jump = round_to_index(whole.at(0, range.b, range.token) - largest - 1.0);
        }
        largest = std::max(begins ? -1.0 : largest, largest_of(range));
        document = &range;
    }
}

std::vector<SegmentRange> segment_ranges(const LayoutPositions& positions, const IdPlan& plan) {
    IdPlan whole_plan = plan;
    whole_plan.layout.chunk.reset();
    whole_plan.layout.shards.reset();
    whole_plan.layout.kept.clear();
    const LayoutPositions whole = id_positions(whole_plan, positions.axes.size() == 1);
    std::vector<SegmentRange> all = segment_ranges(whole);
    add_jumps(whole, all);
    std::map<std::array<Index, 4>, std::optional<Index>> jumps;
    for (const SegmentRange& range : all) {
        jumps[place(range.first)] = range.jump;
    }
    std::vector<SegmentRange> ranges = segment_ranges(positions);
    for (SegmentRange& range : ranges) {
        const auto jump = jumps.find(place(range.first));
        range.jump = jump == jumps.end() ? std::nullopt : jump->second;
    }
    return ranges;
}

}  // namespace ropescope
