// Weaves sound into videos as Qwen2.5-Omni and Qwen3-Omni do, and counts the tokens.
#include "core/positions/woven_sound.h"

#include <algorithm>
#include <numeric>

namespace ropescope {
namespace {

/// The time of each token of the video, from that of the first one on.
std::vector<Index> video_times(const MultimodalRule& rule, const Segment& segment,
                               double interval) {
    const PatchGrid grid = merged_grid(rule, segment);
    std::vector<Index> times;
    for (Index frame = 0; frame < grid.frames; ++frame) {
        const Index time = frame_time(rule, segment, interval, frame);
        times.insert(times.end(), grid.rows * grid.columns, time);
    }
    return times;
}

/// A token of sound is one step of time.
std::vector<Index> sound_times(const Segment& segment) {
    std::vector<Index> times(segment.sound);
    std::iota(times.begin(), times.end(), Index{0});
    return times;
}

/// Where the chunks of `times` end. As in get_chunked_index, a token ends at most one chunk, so
/// that behind a jump over several of them the next tokens each make a chunk.
std::vector<Index> chunk_ends(const std::vector<Index>& times, Index steps) {
    std::vector<Index> ends;
    for (Index i = 0; i < std::ssize(times); ++i) {
        if (times[i] >= (std::ssize(ends) + 1) * steps) {
            ends.push_back(i);
        }
    }
    ends.push_back(std::ssize(times));
    return ends;
}

}  // namespace

Weave weave_in_chunks(const MultimodalRule& rule, const Segment& segment) {
    const std::vector<Index> of_video =
        chunk_ends(video_times(rule, segment, frame_interval(rule, segment)), rule.chunk_steps);
    const std::vector<Index> of_sound = chunk_ends(sound_times(segment), rule.chunk_steps);
    Weave woven;
    const auto append = [&](TokenKind kind, const std::vector<Index>& ends, std::size_t chunk) {
        if (chunk < ends.size()) {
            woven.last_piece = std::ssize(woven.tokens);
            woven.tokens.insert(woven.tokens.end(), ends[chunk] - (chunk > 0 ? ends[chunk - 1] : 0),
                                kind);
        }
    };
    for (std::size_t chunk = 0; chunk < std::max(of_video.size(), of_sound.size()); ++chunk) {
        append(TokenKind::video, of_video, chunk);
        append(TokenKind::sound, of_sound, chunk);
    }
    return woven;
}

Weave weave_by_time(const MultimodalRule& rule, const Segment& segment) {
    const std::vector<Index> video = video_times(rule, segment, frame_interval(rule, segment));
    Weave woven;
    std::size_t frames = 0;
    Index sound = 0;
    while (frames < video.size() && sound < segment.sound) {
        const bool next_is_video = video[frames] <= sound;
        woven.tokens.push_back(next_is_video ? TokenKind::video : TokenKind::sound);
        next_is_video ? static_cast<void>(++frames) : static_cast<void>(++sound);
    }
    woven.last_piece = std::ssize(woven.tokens);  // one of both is left
    woven.tokens.insert(woven.tokens.end(), video.size() - frames, TokenKind::video);
    woven.tokens.insert(woven.tokens.end(), segment.sound - sound, TokenKind::sound);
    return woven;
}

Weave weave(const MultimodalRule& rule, const Segment& segment) {
    return rule.family == MultimodalFamily::qwen3_omni ? weave_by_time(rule, segment)
                                                       : weave_in_chunks(rule, segment);
}

std::vector<TokenKind> woven_tokens(const MultimodalRule& rule, const Segment& segment) {
    const Weave woven = weave(rule, segment);
    std::vector<TokenKind> tokens(kWovenMarks / 2, TokenKind::text);
    tokens.insert(tokens.end(), woven.tokens.begin(), woven.tokens.end());
    tokens.insert(tokens.end(), kWovenMarks / 2, TokenKind::text);
    return tokens;
}

WovenCount woven_count(const MultimodalRule& rule) {
    return {.own_marks = rule.family == MultimodalFamily::qwen3_omni};
}

namespace {

AxisIds alike(Index position) {
    return {position, position, position, 0};
}

/// The two marks from `position` on. Returns where the next token sits.
Index push_marks(BlockIds& block, Index position, bool own) {
    block.tokens.push_back(alike(position));
    block.tokens.push_back(alike(position + (own ? 1 : 0)));
    return position + (own ? 2 : 1);
}

Index largest_from(const BlockIds& block, Index first) {
    Index largest = 0;
    for (Index i = first; i < std::ssize(block.tokens); ++i) {
        largest = std::max(largest, std::ranges::max(block.tokens[i]));
    }
    return largest;
}

/// The tokens of the video alone, counted from `start`.
std::vector<AxisIds> video_ids(const MultimodalRule& rule, const Segment& segment, double interval,
                               Index start) {
    const PatchGrid grid = merged_grid(rule, segment);
    std::vector<AxisIds> ids;
    ids.reserve(grid.tokens());
    const std::vector<Index> times = video_times(rule, segment, interval);
    for (Index i = 0; i < grid.tokens(); ++i) {
        ids.push_back(
            {start + times[i], start + i / grid.columns % grid.rows, start + i % grid.columns, 0});
    }
    return ids;
}

}  // namespace

BlockIds woven_block_ids(const MultimodalRule& rule, const Segment& segment, double interval,
                         Index start) {
    return woven_block_ids(rule, segment, interval, start, woven_count(rule));
}

BlockIds woven_block_ids(const MultimodalRule& rule, const Segment& segment, double interval,
                         Index start, const WovenCount& count) {
    BlockIds block;
    const Index first = push_marks(block, start, count.own_marks);
    const std::vector<AxisIds> video = video_ids(rule, segment, interval, first);
    const Weave woven = count.order ? *count.order : weave(rule, segment);
    Index sound = first;
    if (count.sound_behind) {
        std::ranges::for_each(
            video, [&](const AxisIds& ids) { sound = std::max(sound, std::ranges::max(ids) + 1); });
    }
    std::size_t patch = 0;
    for (const TokenKind kind : woven.tokens) {
        block.tokens.push_back(kind == TokenKind::video ? video[patch++] : alike(sound++));
    }
    const Index behind = count.behind_largest ? 0 : kWovenMarks / 2 + woven.last_piece;
    block.next = push_marks(block, largest_from(block, behind) + 1, count.own_marks);
    return block;
}

}  // namespace ropescope
