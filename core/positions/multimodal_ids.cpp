// Builds position ids of text, images and videos in one sequence.
#include "core/positions/multimodal_ids.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/rope/rope_spec.h"

namespace ropescope {
namespace {

using Ids = std::array<Index, 3>;  ///< time, height, width of one token

/// The tokens of a row without padding.
struct Row {
    std::vector<Ids> tokens;
    Index largest = -1;  ///< of all ids; -1 if there is none
};

/// The steps between the ids of neighbouring frames. get_rope_index cuts the seconds to an integer
/// before it multiplies them.
double frame_interval(const MultimodalRule& rule, const Segment& segment) {
    return rule.family == MultimodalFamily::qwen2_5_vl && segment.kind == SegmentKind::video
               ? std::trunc(segment.second_per_grid.value_or(1.0)) * rule.tokens_per_second
               : 1.0;
}

class RowBuilder {
  public:
    RowBuilder(const MultimodalRule& rule, PositionVersion version)
        : rule_(rule), version_(version) {}

    void add(const Segment& segment) {
        if (segment.kind == SegmentKind::text) {
            for (Index i = 0; i < segment.text; ++i, ++next_) {
                push({next_, next_, next_});
            }
        } else if (rule_.family == MultimodalFamily::videorope) {
            add_diagonal_block(merged(segment.grid));
        } else {
            add_block(merged(segment.grid), frame_interval(rule_, segment));
        }
    }

    Row row() { return std::move(row_); }

  private:
    PatchGrid merged(const PatchGrid& grid) const {
        return {grid.frames, grid.rows / rule_.merge, grid.columns / rule_.merge};
    }

    void push(const Ids& ids) {
        row_.tokens.push_back(ids);
        row_.largest = std::max(row_.largest, std::ranges::max(ids));
    }

    void add_block(const PatchGrid& grid, double interval) {
        Index largest = 0;
        for (Index frame = 0; frame < grid.frames; ++frame) {
            const Index time = floor_to_index(to_double(frame) * interval);
            largest = std::max({largest, time, grid.rows - 1, grid.columns - 1});
            for (Index row = 0; row < grid.rows; ++row) {
                for (Index column = 0; column < grid.columns; ++column) {
                    push({next_ + time, next_ + row, next_ + column});
                }
            }
        }
        next_ += version_ == PositionVersion::transformers_4 ? largest + 1
                                                             : std::max(grid.rows, grid.columns);
    }

    /// VideoRoPE: rows and columns go out from the middle of the frame, along the diagonal of time.
    void add_diagonal_block(const PatchGrid& grid) {
        constexpr Index kScale = 2;
        for (Index frame = 0; frame < grid.frames; ++frame) {
            const Index time = next_ + kScale * frame;
            for (Index row = 0; row < grid.rows; ++row) {
                for (Index column = 0; column < grid.columns; ++column) {
                    push({time, time + row - (grid.rows - 1) / 2,
                          time + column - (grid.columns - 1) / 2});
                }
            }
        }
        next_ += kScale * (grid.frames - 1) + 1;
    }

    const MultimodalRule& rule_;
    PositionVersion version_;
    Index next_ = 0;  ///< where the next token of text would sit
    Row row_;
};

void validate(const MultimodalRule& rule, const Segment& segment, const std::string& place) {
    const PatchGrid& grid = segment.grid;
    const bool one_frame =
        rule.family == MultimodalFamily::qwen3_vl || rule.family == MultimodalFamily::glm4v;
    if (segment.kind == SegmentKind::text) {
        if (segment.text < 0 || segment.text > kMaxTokens) {
            throw InputError(fmt::format("{}: {} tokens of text; give 0 to {}", place, segment.text,
                                         kMaxTokens));
        }
        return;
    }
    const auto fits = [](Index n) { return n >= 1 && n <= kMaxTokens; };
    if (!fits(grid.frames) || !fits(grid.rows) || !fits(grid.columns) ||
        grid.rows > kMaxTokens / grid.columns ||
        grid.frames > kMaxTokens / (grid.rows * grid.columns)) {
        throw InputError(fmt::format("{}: a grid of {} x {} x {}; give 1 to {} patches in all",
                                     place, grid.frames, grid.rows, grid.columns, kMaxTokens));
    }
    if (grid.rows % rule.merge != 0 || grid.columns % rule.merge != 0) {
        throw InputError(fmt::format(
            "{}: a grid of {} x {} x {}; {} x {} patches become one token, "
            "give rows and columns before merging, multiples of {}",
            place, grid.frames, grid.rows, grid.columns, rule.merge, rule.merge, rule.merge));
    }
    if (one_frame && segment.kind == SegmentKind::video) {
        throw InputError(
            fmt::format("{}: in {} each frame of a video is a block behind the text of "
                        "its time stamp; give text and frame segments",
                        place, to_string(rule.family)));
    }
    const double seconds = segment.second_per_grid.value_or(1.0);
    const double last = to_double(grid.frames) * frame_interval(rule, segment);
    if (!(seconds >= 0) || last > to_double(kMaxPosition)) {
        throw InputError(
            fmt::format("{}: {} seconds a grid; give a number above 0 with which the "
                        "last frame sits below position {}",
                        place, seconds, kMaxPosition));
    }
}

Row build_row(const MultimodalRule& rule, PositionVersion version, const TokenLayout& layout,
              Index number) {
    RowBuilder builder(rule, version);
    Index tokens = 0;
    for (std::size_t i = 0; i < layout.rows[number].size(); ++i) {
        const Segment& segment = layout.rows[number][i];
        validate(rule, segment, fmt::format("rows[{}][{}]", number, i));
        tokens += token_count(segment, rule.merge);
        if (tokens > kMaxTokens) {
            throw InputError(fmt::format("rows[{}]: more than {} tokens; give a shorter row",
                                         number, kMaxTokens));
        }
        builder.add(segment);
    }
    return builder.row();
}

std::vector<Row> build_rows(const MultimodalRule& rule, PositionVersion version,
                            const TokenLayout& layout) {
    if (layout.rows.empty()) {
        throw InputError("rows: the layout has none; give a list of segments for each sequence");
    }
    std::vector<Row> rows;
    for (Index b = 0; b < std::ssize(layout.rows); ++b) {
        rows.push_back(build_row(rule, version, layout, b));
    }
    return rows;
}

Index longest(const std::vector<Row>& rows) {
    Index length = 0;
    for (const Row& row : rows) {
        length = std::max(length, std::ssize(row.tokens));
    }
    return length;
}

void check_lengths(const TokenLayout& layout, const std::vector<Row>& rows, Index length) {
    for (std::size_t b = 0; b < rows.size(); ++b) {
        if (layout.padding == Padding::none && std::ssize(rows[b].tokens) != length) {
            throw InputError(
                fmt::format("rows[{}]: {} tokens, and another row has {}; say whether "
                            "padding is left or right, or give rows of one length",
                            b, rows[b].tokens.size(), length));
        }
    }
    if (layout.length && *layout.length != length) {
        throw InputError(
            fmt::format("sequence_length: {}, and the longest row has {} tokens; give "
                        "the segments of that length",
                        *layout.length, length));
    }
}

/// VideoRoPE's delta counts from the largest time.
Index largest_of(const MultimodalRule& rule, const Row& row) {
    if (rule.family != MultimodalFamily::videorope) {
        return row.largest;
    }
    Index largest = -1;
    for (const Ids& ids : row.tokens) {
        largest = std::max(largest, ids[0]);
    }
    return largest;
}

MultimodalIds empty_ids(Index batch, Index length, Index value) {
    return {batch, length, std::vector<Index>(3 * batch * length, value), {}};
}

void place(const Row& row, Index b, Index first, MultimodalIds& ids) {
    for (Index axis = 0; axis < 3; ++axis) {
        for (Index i = 0; i < std::ssize(row.tokens); ++i) {
            ids.ids[(axis * ids.batch + b) * ids.length + first + i] = row.tokens[i][axis];
        }
    }
}

/// Tokens of every row by their numbers.
MultimodalIds tokens_of(const MultimodalIds& ids, std::span<const Index> tokens) {
    MultimodalIds some = empty_ids(ids.batch, std::ssize(tokens), 0);
    some.deltas = ids.deltas;
    for (Index axis = 0; axis < 3; ++axis) {
        for (Index b = 0; b < ids.batch; ++b) {
            for (Index i = 0; i < some.length; ++i) {
                some.ids[(axis * some.batch + b) * some.length + i] = ids.at(axis, b, tokens[i]);
            }
        }
    }
    return some;
}

}  // namespace

Index token_count(const Segment& segment, Index merge) {
    return segment.kind == SegmentKind::text ? segment.text
                                             : segment.grid.tokens() / (merge * merge);
}

MultimodalIds multimodal_ids(const MultimodalRule& rule, PositionVersion version,
                             const TokenLayout& layout) {
    const std::vector<Row> rows = build_rows(rule, version, layout);
    const Index length = longest(rows);
    check_lengths(layout, rows, length);
    const bool older = version == PositionVersion::transformers_4;
    MultimodalIds ids = empty_ids(std::ssize(rows), length, older ? 1 : 0);
    for (Index b = 0; b < ids.batch; ++b) {
        const Index own = std::ssize(rows[b].tokens);
        place(rows[b], b, layout.padding == Padding::left ? length - own : 0, ids);
        ids.deltas.push_back(largest_of(rule, rows[b]) + 1 - (older ? length : own));
    }
    return ids;
}

MultimodalIds packed_ids(const MultimodalRule& rule, PositionVersion version,
                         const TokenLayout& layout) {
    const std::vector<Row> rows = build_rows(rule, version, layout);
    Index length = 0;
    for (const Row& row : rows) {
        length += std::ssize(row.tokens);
    }
    MultimodalIds ids = empty_ids(1, length, 0);
    Index first = 0;
    for (const Row& row : rows) {
        place(row, 0, first, ids);
        first += std::ssize(row.tokens);
    }
    ids.deltas = {largest_of(rule, rows.back()) + 1 - length};
    return ids;
}

MultimodalIds chunk_of(const MultimodalIds& ids, Index first, Index count) {
    if (first < 0 || count < 0 || first > ids.length || count > ids.length - first) {
        throw InputError(fmt::format("chunk: tokens {} to {} of {}; give a part of the sequence",
                                     first, first + count - 1, ids.length));
    }
    std::vector<Index> tokens(count);
    for (Index i = 0; i < count; ++i) {
        tokens[i] = first + i;
    }
    return tokens_of(ids, tokens);
}

MultimodalIds context_shard(const MultimodalIds& ids, Index rank, Index shards) {
    if (shards < 1 || rank < 0 || rank >= shards || ids.length % (2 * shards) != 0) {
        throw InputError(
            fmt::format("shards: rank {} of {} for {} tokens; give a rank below the "
                        "number of shards, and a multiple of {} tokens",
                        rank, shards, ids.length, 2 * shards));
    }
    const Index part = ids.length / (2 * shards);
    std::vector<Index> tokens;
    for (const Index number : {rank, 2 * shards - 1 - rank}) {
        for (Index i = 0; i < part; ++i) {
            tokens.push_back(number * part + i);
        }
    }
    return tokens_of(ids, tokens);
}

Index decode_id(Index tokens, Index step, Index delta) {
    return tokens + step + delta;
}

}  // namespace ropescope
