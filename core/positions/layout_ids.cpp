// Puts the ids of rows, decode steps, chunks and shards together.
#include "core/positions/layout_ids.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "core/base/error.h"
#include "core/positions/woven_sound.h"

namespace ropescope {
namespace {

/// The decode steps behind each sequence.
MultimodalIds with_decode(const IdPlan& plan, const MultimodalIds& prompt) {
    const Index steps = plan.layout.decode_steps;
    if (steps == 0) {
        return prompt;
    }
    MultimodalIds ids{prompt.batch, prompt.length + steps, {}, prompt.deltas, prompt.axes};
    ids.ids.reserve(ids.axes * ids.batch * ids.length);
    const bool counts_padding =
        plan.layout.packed || plan.version == PositionVersion::transformers_4;
    for (Index axis = 0; axis < ids.axes; ++axis) {
        for (Index b = 0; b < ids.batch; ++b) {
            for (Index token = 0; token < prompt.length; ++token) {
                ids.ids.push_back(prompt.at(axis, b, token));
            }
            const Index own = plan.layout.packed ? prompt.length : own_tokens(plan, b);
            const Index delta = prompt.deltas[b];
            const Index first = plan.decode
                                    ? plan.decode(prompt.length, own, delta)
                                    : decode_id(counts_padding ? prompt.length : own, 0, delta);
            for (Index step = 0; step < steps; ++step) {
                ids.ids.push_back(first + step);
            }
        }
    }
    return ids;
}

TokenKind kind_of(const Segment& segment) {
    return static_cast<TokenKind>(segment.kind);
}
static_assert(static_cast<int>(TokenKind::frame) == static_cast<int>(SegmentKind::frame));

void append_row(const IdPlan& plan, Index row, std::vector<TokenOrigin>& origins) {
    const std::vector<Segment>& segments = plan.layout.rows[row];
    for (Index s = 0; s < std::ssize(segments); ++s) {
        const Index tokens = token_count(plan.rule, segments[s]);
        const std::vector<TokenKind> woven =
            segments[s].sound > 0 ? woven_tokens(plan.rule, segments[s]) : std::vector<TokenKind>();
        for (Index i = 0; i < tokens; ++i) {
            origins.push_back({woven.empty() ? kind_of(segments[s]) : woven[i], row, s, i});
        }
    }
}

void append_rest(TokenKind kind, Index row, Index count, std::vector<TokenOrigin>& origins) {
    for (Index i = 0; i < count; ++i) {
        origins.push_back({kind, row, 0, i});
    }
}

std::vector<Index> all_tokens(Index length) {
    std::vector<Index> tokens(length);
    std::iota(tokens.begin(), tokens.end(), Index{0});
    return tokens;
}

/// The tokens of a rank if each document is shared out by itself.
std::vector<Index> tokens_of_documents(const IdPlan& plan, Index rank) {
    std::vector<Index> tokens;
    Index first = 0;
    for (Index row = 0; row < std::ssize(plan.layout.rows); ++row) {
        const Index own = own_tokens(plan, row);
        try {
            for (const Index token : shard_tokens(own, rank, plan.layout.shards->size)) {
                tokens.push_back(first + token);
            }
        } catch (const InputError& error) {
            throw InputError(fmt::format("rows[{}]: {}", row, error.what()));
        }
        first += own;
    }
    return tokens;
}

std::vector<Index> tokens_of_rank(const IdPlan& plan, Index rank, Index length) {
    const ContextShards& shards = *plan.layout.shards;
    return shards.per_document ? tokens_of_documents(plan, rank)
                               : shard_tokens(length, rank, shards.size);
}

std::vector<Index> tokens_of_shards(const IdPlan& plan, Index length) {
    const ContextShards& shards = *plan.layout.shards;
    if (shards.rank) {
        return tokens_of_rank(plan, *shards.rank, length);
    }
    std::vector<Index> tokens = tokens_of_rank(plan, 0, length);  // checks the size
    for (Index rank = 1; rank < shards.size; ++rank) {
        const std::vector<Index> more = tokens_of_rank(plan, rank, length);
        tokens.insert(tokens.end(), more.begin(), more.end());
    }
    return tokens;
}

}  // namespace

namespace {

/// Whether only some tokens are asked for.
bool is_part(const TokenLayout& layout) {
    return layout.chunk || layout.shards || !layout.kept.empty();
}

/// The padding of each row, whose own tokens are `tokens`; packed rows have theirs beside all.
std::vector<Index> padding_of_rows(const TokenLayout& layout, const std::vector<Index>& tokens) {
    std::vector<Index> padding(tokens.size(), 0);
    if (tokens.empty()) {
        return padding;
    }
    if (layout.packed) {
        const Index all = std::accumulate(tokens.begin(), tokens.end(), Index{0});
        Index& beside = layout.padding == Padding::left ? padding.front() : padding.back();
        beside = std::max<Index>(0, layout.filled_length - all);
        return padding;
    }
    const Index longest = *std::ranges::max_element(tokens);
    std::ranges::transform(tokens, padding.begin(), [&](Index own) { return longest - own; });
    return padding;
}

}  // namespace

Index own_tokens(const IdPlan& plan, Index row) {
    Index tokens = 0;
    for (const Segment& segment : plan.layout.rows[row]) {
        tokens += token_count(plan.rule, segment);
    }
    return tokens;
}

MultimodalIds whole_ids(const IdPlan& plan) {
    const CountBlock count = plan.block ? plan.block : [&](const Segment& segment, Index start) {
        return block_ids(plan.rule, plan.version, segment, start);
    };
    return with_decode(plan, plan.layout.packed
                                 ? packed_ids(plan.rule, plan.layout, count)
                                 : multimodal_ids(plan.rule, plan.version, plan.layout, count));
}

std::vector<TokenOrigin> whole_origins(const IdPlan& plan) {
    const TokenLayout& layout = plan.layout;
    const Index rows = std::ssize(layout.rows);
    std::vector<Index> tokens;
    for (Index row = 0; row < rows; ++row) {
        tokens.push_back(own_tokens(plan, row));
    }
    const std::vector<Index> padding = padding_of_rows(layout, tokens);
    const bool left = layout.padding == Padding::left;
    std::vector<TokenOrigin> origins;
    for (Index row = 0; row < rows; ++row) {
        append_rest(TokenKind::padding, row, left ? padding[row] : 0, origins);
        append_row(plan, row, origins);
        append_rest(TokenKind::padding, row, left ? 0 : padding[row], origins);
        if (!layout.packed || row == rows - 1) {
            append_rest(TokenKind::decode, row, layout.decode_steps, origins);
        }
    }
    return origins;
}

std::vector<Index> part_tokens(const IdPlan& plan, Index length) {
    const TokenLayout& layout = plan.layout;
    if (layout.shards) {
        return tokens_of_shards(plan, length);
    }
    for (const Index token : layout.kept) {
        if (token < 0 || token >= length) {
            throw InputError(fmt::format(
                "kept: token {}, and a row has {} with its padding and decode steps; give numbers "
                "from 0 to {}",
                token, length, length - 1));
        }
    }
    if (!layout.kept.empty()) {
        return layout.kept;
    }
    if (!layout.chunk) {
        return all_tokens(length);
    }
    const auto [first, count] = *layout.chunk;
    if (first < 0 || count < 1 || first > length || count > length - first) {
        throw InputError(
            fmt::format("chunk: {} tokens from {} on, and a row has {} with its padding and decode "
                        "steps; give a part of it",
                        count, first, length));
    }
    std::vector<Index> tokens = all_tokens(count);
    std::ranges::for_each(tokens, [first = first](Index& token) { token += first; });
    return tokens;
}

MultimodalIds layout_ids(const IdPlan& plan) {
    if (plan.second) {
        IdPlan changed = plan;
        changed.second = {};
        const std::optional<MultimodalIds> made = plan.second(changed);
        return made ? *made : layout_ids(changed);
    }
    MultimodalIds ids = whole_ids(plan);
    if (!is_part(plan.layout)) {
        return ids;
    }
    return tokens_of(ids, part_tokens(plan, ids.length));
}

std::vector<TokenOrigin> layout_origins(const IdPlan& plan) {
    const std::vector<TokenOrigin> whole = whole_origins(plan);
    if (!is_part(plan.layout)) {
        return whole;
    }
    const Index batch = plan.layout.packed ? 1 : std::ssize(plan.layout.rows);
    const Index length = std::ssize(whole) / batch;
    std::vector<TokenOrigin> part;
    for (Index b = 0; b < batch; ++b) {
        for (const Index token : part_tokens(plan, length)) {
            part.push_back(whole[b * length + token]);
        }
    }
    return part;
}

}  // namespace ropescope
