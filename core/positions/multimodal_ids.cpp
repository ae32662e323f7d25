// Builds position ids of text, images and videos in one sequence.
#include "core/positions/multimodal_ids.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/positions/woven_sound.h"
#include "core/rope/rope_spec.h"

namespace ropescope {
namespace {

/// The tokens of a row without padding.
struct Row {
    std::vector<AxisIds> tokens = {};
    Index largest = -1;  ///< of all ids; -1 if there is none

    void push(const AxisIds& ids) {
        tokens.push_back(ids);
        largest = std::max(largest, std::ranges::max(ids));
    }
};

/// Appends a segment behind which text goes on at `next`, and moves `next`.
void append(const Segment& segment, Index axes, const CountBlock& count, Row& row, Index& next) {
    if (segment.kind == SegmentKind::text) {
        for (Index i = 0; i < segment.text; ++i, ++next) {
            row.push({next, next, next, axes == 4 ? next : 0});
        }
        return;
    }
    const BlockIds block = count(segment, next);
    for (const AxisIds& ids : block.tokens) {
        row.push(ids);
    }
    next = block.next;
}

/// `images` is the number of the images in the rows before, and moves on.
Row build_row(const std::vector<Segment>& segments, Index axes, const CountBlock& count,
              Index& images) {
    Row row;
    Index next = 0;
    for (Segment segment : segments) {
        if (segment.kind == SegmentKind::image) {
            segment.number = images++;
        }
        append(segment, axes, count, row, next);
    }
    return row;
}

/// Throws InputError before anything is built of a layout that cannot be counted or is too long.
void validate(const MultimodalRule& rule, const TokenLayout& layout) {
    if (layout.rows.empty()) {
        throw InputError("rows: the layout has none; give a list of segments for each sequence");
    }
    Index longest = 0, all = 0;
    for (std::size_t b = 0; b < layout.rows.size(); ++b) {
        Index tokens = 0;
        for (std::size_t i = 0; i < layout.rows[b].size(); ++i) {
            validate(rule, layout.rows[b][i], fmt::format("rows[{}][{}]", b, i));
            tokens += token_count(rule, layout.rows[b][i]);
            if (tokens > kMaxLayoutTokens) {
                throw InputError(fmt::format("rows[{}]: more than {} tokens; give a shorter row", b,
                                             kMaxLayoutTokens));
            }
        }
        longest = std::max(longest, tokens);
        all += tokens;
    }
    const Index padded =
        layout.packed ? std::max(all, layout.filled_length) : longest * std::ssize(layout.rows);
    if (padded > kMaxLayoutTokens) {
        throw InputError(fmt::format(
            "rows: {} rows make {} tokens with their padding; give a batch of at most {}",
            layout.rows.size(), padded, kMaxLayoutTokens));
    }
}

std::vector<Row> build_rows(const MultimodalRule& rule, const CountBlock& count,
                            const TokenLayout& layout) {
    validate(rule, layout);
    std::vector<Row> rows;
    Index images = 0;
    for (const std::vector<Segment>& segments : layout.rows) {
        rows.push_back(build_row(segments, rule.axes(), count, images));
    }
    return rows;
}

/// The family's own way to count a block.
CountBlock family_count(const MultimodalRule& rule, PositionVersion version) {
    return [rule, version](const Segment& segment, Index start) {
        return block_ids(rule, version, segment, start);
    };
}

Index longest(const std::vector<Row>& rows) {
    Index length = 0;
    for (const Row& row : rows) {
        length = std::max<Index>(length, std::ssize(row.tokens));
    }
    return length;
}

void check_length(const TokenLayout& layout, Index length) {
    if (layout.length && *layout.length != length) {
        throw InputError(fmt::format(
            "sequence_length: {}, and the {} {} tokens; give the segments of that "
            "length",
            *layout.length, layout.packed ? "rows together have" : "longest row has", length));
    }
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
    check_length(layout, length);
}

/// VideoRoPE's delta counts from the largest time.
Index largest_of(const MultimodalRule& rule, const Row& row) {
    if (rule.family != MultimodalFamily::videorope) {
        return row.largest;
    }
    Index largest = -1;
    for (const AxisIds& ids : row.tokens) {
        largest = std::max(largest, ids[0]);
    }
    return largest;
}

MultimodalIds empty_ids(Index axes, Index batch, Index length, Index value) {
    return {batch, length, std::vector<Index>(axes * batch * length, value), {}, axes};
}

void place(const Row& row, Index b, Index first, MultimodalIds& ids) {
    for (Index axis = 0; axis < ids.axes; ++axis) {
        for (Index i = 0; i < std::ssize(row.tokens); ++i) {
            ids.ids[(axis * ids.batch + b) * ids.length + first + i] = row.tokens[i][axis];
        }
    }
}

}  // namespace

MultimodalIds multimodal_ids(const MultimodalRule& rule, PositionVersion version,
                             const TokenLayout& layout) {
    return multimodal_ids(rule, version, layout, family_count(rule, version));
}

MultimodalIds multimodal_ids(const MultimodalRule& rule, PositionVersion version,
                             const TokenLayout& layout, const CountBlock& count) {
    const std::vector<Row> rows = build_rows(rule, count, layout);
    const Index length = longest(rows);
    check_lengths(layout, rows, length);
    const bool older = version == PositionVersion::transformers_4;
    MultimodalIds ids = empty_ids(rule.axes(), std::ssize(rows), length, older ? 1 : 0);
    for (Index b = 0; b < ids.batch; ++b) {
        const Index own = std::ssize(rows[b].tokens);
        place(rows[b], b, layout.padding == Padding::left ? length - own : 0, ids);
        ids.deltas.push_back(largest_of(rule, rows[b]) + 1 - (older ? length : own));
    }
    return ids;
}

MultimodalIds packed_ids(const MultimodalRule& rule, PositionVersion version,
                         const TokenLayout& layout) {
    return packed_ids(rule, layout, family_count(rule, version));
}

MultimodalIds packed_ids(const MultimodalRule& rule, const TokenLayout& layout,
                         const CountBlock& count) {
    const std::vector<Row> rows = build_rows(rule, count, layout);
    Index length = 0;
    for (const Row& row : rows) {
        length += std::ssize(row.tokens);
    }
    const Index tokens = length;
    length = std::max(tokens, layout.filled_length);
    check_length(layout, length);
    MultimodalIds ids = empty_ids(rule.axes(), 1, length, 0);
    Index first = layout.padding == Padding::left ? length - tokens : 0;
    for (const Row& row : rows) {
        place(row, 0, first, ids);
        first += std::ssize(row.tokens);
    }
    ids.deltas = {largest_of(rule, rows.back()) + 1 - length};
    return ids;
}

MultimodalIds tokens_of(const MultimodalIds& ids, std::span<const Index> tokens) {
    MultimodalIds some = empty_ids(ids.axes, ids.batch, std::ssize(tokens), 0);
    some.deltas = ids.deltas;
    for (Index axis = 0; axis < ids.axes; ++axis) {
        for (Index b = 0; b < ids.batch; ++b) {
            for (Index i = 0; i < some.length; ++i) {
                some.ids[(axis * some.batch + b) * some.length + i] = ids.at(axis, b, tokens[i]);
            }
        }
    }
    return some;
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

std::vector<Index> shard_tokens(Index length, Index rank, Index shards) {
    if (shards < 1 || shards > kMaxTokens || rank < 0 || rank >= shards ||
        length % (2 * shards) != 0) {
        throw InputError(
            fmt::format("shards: rank {} of {} for {} tokens; give a rank below the "
                        "number of shards, and a multiple of {} tokens",
                        rank, shards, length, 2 * shards));
    }
    const Index part = length / (2 * shards);
    std::vector<Index> tokens;
    for (const Index number : {rank, 2 * shards - 1 - rank}) {
        for (Index i = 0; i < part; ++i) {
            tokens.push_back(number * part + i);
        }
    }
    return tokens;
}

MultimodalIds context_shard(const MultimodalIds& ids, Index rank, Index shards) {
    return tokens_of(ids, shard_tokens(ids.length, rank, shards));
}

Index decode_id(Index tokens, Index step, Index delta) {
    return tokens + step + delta;
}

// Counts a block of patches.

namespace {

/// VideoRoPE: rows and columns go out from the middle of the frame, along the diagonal of time.
BlockIds diagonal_block_ids(const PatchGrid& grid, Index start) {
    constexpr Index kScale = 2;
    BlockIds block{{}, start + kScale * (grid.frames - 1) + 1};
    for (Index frame = 0; frame < grid.frames; ++frame) {
        const Index time = start + kScale * frame;
        for (Index row = 0; row < grid.rows; ++row) {
            for (Index column = 0; column < grid.columns; ++column) {
                block.tokens.push_back({time, time + row - (grid.rows - 1) / 2,
                                        time + column - (grid.columns - 1) / 2, 0});
            }
        }
    }
    return block;
}

/// HunYuan-VL: the tokens go on counting in the first axis, and rows, columns and images count from
/// 0 in the others.
BlockIds numbered_block_ids(const PatchGrid& grid, Index image, Index start) {
    BlockIds block{{}, start + grid.tokens()};
    for (Index row = 0; row < grid.rows; ++row) {
        for (Index column = 0; column < grid.columns; ++column) {
            block.tokens.push_back({start + row * grid.columns + column, column, row, image});
        }
    }
    return block;
}

}  // namespace

std::vector<std::string> axis_names(const MultimodalRule& rule) {
    return rule.axes() == 4 ? std::vector<std::string>{"p", "w", "h", "t"}
                            : std::vector<std::string>{"t", "h", "w"};
}

double frame_interval(const MultimodalRule& rule, const Segment& segment) {
    if (segment.kind != SegmentKind::video) {
        return 1.0;
    }
    const double seconds = segment.second_per_grid.value_or(1.0);
    return rule.is_omni() ? seconds * rule.tokens_per_second
           : rule.family == MultimodalFamily::qwen2_5_vl
               ? std::trunc(seconds) * rule.tokens_per_second
               : 1.0;
}

PatchGrid merged_grid(const MultimodalRule& rule, const Segment& segment) {
    const PatchGrid& grid = segment.grid;
    const Index frames = segment.kind == SegmentKind::video ? rule.merged_frames() : 1;
    const Index row_end = rule.family == MultimodalFamily::hunyuan_vl ? 1 : 0;
    return {grid.frames / frames, grid.rows / rule.merge, grid.columns / rule.merge + row_end};
}

Index token_count(const MultimodalRule& rule, const Segment& segment) {
    return segment.kind == SegmentKind::text ? segment.text
           : segment.sound > 0 ? kWovenMarks + merged_grid(rule, segment).tokens() + segment.sound
                               : merged_grid(rule, segment).tokens();
}

namespace {

/// Steps of time from the first frame to another, before they are cut. Qwen-Omni multiplies in
/// float, first the seconds and then the steps of a second, which decides on which side of a whole
/// number a product lies; any other interval is a fault's.
double time_of(const MultimodalRule& rule, const Segment& segment, double interval, Index frame) {
    if (rule.is_omni() && segment.kind == SegmentKind::video &&
        interval == frame_interval(rule, segment)) {
        const auto seconds = static_cast<float>(segment.second_per_grid.value_or(1.0));
        return static_cast<float>(frame) * seconds * static_cast<float>(rule.tokens_per_second);
    }
    return to_double(frame) * interval;
}

}  // namespace

Index frame_time(const MultimodalRule& rule, const Segment& segment, double interval, Index frame) {
    return floor_to_index(time_of(rule, segment, interval, frame));
}

BlockIds spaced_block_ids(const MultimodalRule& rule, PositionVersion version,
                          const Segment& segment, double interval, Index start) {
    if (segment.sound > 0) {
        return woven_block_ids(rule, segment, interval, start);
    }
    const PatchGrid grid = merged_grid(rule, segment);
    const bool behind_largest = version == PositionVersion::transformers_4 || rule.is_omni();
    Index largest = 0;
    BlockIds block;
    block.tokens.reserve(grid.tokens());
    for (Index frame = 0; frame < grid.frames; ++frame) {
        const Index time = frame_time(rule, segment, interval, frame);
        largest = std::max({largest, time, grid.rows - 1, grid.columns - 1});
        for (Index row = 0; row < grid.rows; ++row) {
            for (Index column = 0; column < grid.columns; ++column) {
                block.tokens.push_back({start + time, start + row, start + column, 0});
            }
        }
    }
    block.next = start + (behind_largest ? largest + 1 : std::max(grid.rows, grid.columns));
    return block;
}

BlockIds block_ids(const MultimodalRule& rule, PositionVersion version, const Segment& segment,
                   Index start) {
    switch (rule.family) {
        case MultimodalFamily::videorope:
            return diagonal_block_ids(merged_grid(rule, segment), start);
        case MultimodalFamily::hunyuan_vl:
            return numbered_block_ids(merged_grid(rule, segment), segment.number, start);
        default:
            return spaced_block_ids(rule, version, segment, frame_interval(rule, segment), start);
    }
}

namespace {

/// Videos that the family does not take.
void validate_video(const MultimodalRule& rule, const Segment& segment, const std::string& place) {
    const bool one_frame =
        rule.family == MultimodalFamily::qwen3_vl || rule.family == MultimodalFamily::glm4v;
    if (one_frame) {
        throw InputError(
            fmt::format("{}: in {} each frame of a video is a block behind the text of "
                        "its time stamp; give text and frame segments",
                        place, to_string(rule.family)));
    }
    if (segment.grid.frames % rule.merged_frames() != 0) {
        throw InputError(fmt::format(
            "{}: a video of {} frames; {} of them become one, give a multiple of {} frames before "
            "merging",
            place, segment.grid.frames, rule.merged_frames(), rule.merged_frames()));
    }
    if (segment.sound > 0 && !rule.is_omni()) {
        throw InputError(fmt::format(
            "{}: only Qwen2.5-Omni and Qwen3-Omni weave the sound of a video into it, and the rule "
            "is that of {}; leave audio out",
            place, to_string(rule.family)));
    }
    if (segment.sound < 0 || segment.sound > kMaxTokens) {
        throw InputError(
            fmt::format("{}: {} tokens of sound; give 0 to {}", place, segment.sound, kMaxTokens));
    }
}

/// get_rope_index of Qwen3-Omni cuts nothing, so that ids behind a part of a step are fractions,
/// also those of all text behind them. Here ids are whole.
void validate_steps(const MultimodalRule& rule, const Segment& segment, const std::string& place) {
    for (Index frame = 0; frame < segment.grid.frames; ++frame) {
        const double time = time_of(rule, segment, frame_interval(rule, segment), frame);
        if (time != std::floor(time)) {
            throw InputError(fmt::format(
                "{}: frame {} sits {} steps of time behind the first one, and Qwen3-Omni does not "
                "cut them, so that its ids are fractions; give seconds that make whole steps",
                place, frame, time));
        }
    }
}

}  // namespace

void validate(const MultimodalRule& rule, const Segment& segment, const std::string& place) {
    const PatchGrid& grid = segment.grid;
    const bool is_video = segment.kind == SegmentKind::video;
    if (segment.kind == SegmentKind::text) {
        if (segment.text < 0 || segment.text > kMaxTokens) {
            throw InputError(fmt::format("{}: {} tokens of text; give 0 to {}", place, segment.text,
                                         kMaxTokens));
        }
        return;
    }
    validate_size(grid, place);
    if (grid.rows % rule.merge != 0 || grid.columns % rule.merge != 0) {
        throw InputError(fmt::format(
            "{}: a grid of {} x {} x {}; {} x {} patches become one token, "
            "give rows and columns before merging, multiples of {}",
            place, grid.frames, grid.rows, grid.columns, rule.merge, rule.merge, rule.merge));
    }
    if (rule.family == MultimodalFamily::hunyuan_vl &&
        (segment.kind != SegmentKind::image || grid.frames != 1)) {
        throw InputError(fmt::format(
            "{}: get_rope_index of HunYuan-VL counts still images alone; give image [1, h, w]",
            place));
    }
    if (is_video) {
        validate_video(rule, segment, place);
    }
    const double seconds = segment.second_per_grid.value_or(1.0);
    const double last = to_double(grid.frames) * frame_interval(rule, segment);
    if (!(seconds >= 0) || last > to_double(kMaxPosition)) {
        throw InputError(
            fmt::format("{}: {} seconds a grid; give a number from 0 on with which the "
                        "last frame sits below position {}",
                        place, seconds, kMaxPosition));
    }
    if (is_video && rule.family == MultimodalFamily::qwen3_omni) {
        validate_steps(rule, segment, place);
    }
}

}  // namespace ropescope
