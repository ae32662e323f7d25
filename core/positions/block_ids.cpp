// Counts a block of patches.
#include "core/positions/block_ids.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/rope/rope_spec.h"

namespace ropescope {
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
                                        time + column - (grid.columns - 1) / 2});
            }
        }
    }
    return block;
}

}  // namespace

double frame_interval(const MultimodalRule& rule, const Segment& segment) {
    return rule.family == MultimodalFamily::qwen2_5_vl && segment.kind == SegmentKind::video
               ? std::trunc(segment.second_per_grid.value_or(1.0)) * rule.tokens_per_second
               : 1.0;
}

PatchGrid merged_grid(const MultimodalRule& rule, const Segment& segment) {
    const PatchGrid& grid = segment.grid;
    const Index frames = segment.kind == SegmentKind::video ? rule.merged_frames() : 1;
    return {grid.frames / frames, grid.rows / rule.merge, grid.columns / rule.merge};
}

Index token_count(const MultimodalRule& rule, const Segment& segment) {
    return segment.kind == SegmentKind::text ? segment.text : merged_grid(rule, segment).tokens();
}

BlockIds spaced_block_ids(const MultimodalRule& rule, PositionVersion version,
                          const Segment& segment, double interval, Index start) {
    const PatchGrid grid = merged_grid(rule, segment);
    Index largest = 0;
    BlockIds block;
    block.tokens.reserve(grid.tokens());
    for (Index frame = 0; frame < grid.frames; ++frame) {
        const Index time = floor_to_index(to_double(frame) * interval);
        largest = std::max({largest, time, grid.rows - 1, grid.columns - 1});
        for (Index row = 0; row < grid.rows; ++row) {
            for (Index column = 0; column < grid.columns; ++column) {
                block.tokens.push_back({start + time, start + row, start + column});
            }
        }
    }
    block.next =
        start + (version == PositionVersion::transformers_4 ? largest + 1
                                                            : std::max(grid.rows, grid.columns));
    return block;
}

BlockIds block_ids(const MultimodalRule& rule, PositionVersion version, const Segment& segment,
                   Index start) {
    return rule.family == MultimodalFamily::videorope
               ? diagonal_block_ids(merged_grid(rule, segment), start)
               : spaced_block_ids(rule, version, segment, frame_interval(rule, segment), start);
}

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
    validate_size(grid, place);
    if (grid.rows % rule.merge != 0 || grid.columns % rule.merge != 0) {
        throw InputError(fmt::format(
            "{}: a grid of {} x {} x {}; {} x {} patches become one token, "
            "give rows and columns before merging, multiples of {}",
            place, grid.frames, grid.rows, grid.columns, rule.merge, rule.merge, rule.merge));
    }
    if (segment.kind == SegmentKind::video && grid.frames % rule.merged_frames() != 0) {
        throw InputError(fmt::format(
            "{}: a video of {} frames; {} of them become one, give a multiple of {} frames before "
            "merging",
            place, grid.frames, rule.merged_frames(), rule.merged_frames()));
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
            fmt::format("{}: {} seconds a grid; give a number from 0 on with which the "
                        "last frame sits below position {}",
                        place, seconds, kMaxPosition));
    }
}

}  // namespace ropescope
