// Faults of whole sequences: padding, packed documents, decode steps, chunks, shards and what a
// cache keeps.
#include <algorithm>
#include <numeric>

#include "core/faults/codes.h"
#include "core/positions/id_faults.h"

namespace ropescope {
namespace {

bool has_decode(const IdPlan& plan) {
    return plan.layout.decode_steps > 0;
}
bool has_chunk(const IdPlan& plan) {
    return plan.layout.chunk.has_value();
}
bool has_shards(const IdPlan& plan) {
    return plan.layout.shards && plan.layout.shards->size > 1;
}
bool has_documents(const IdPlan& plan) {
    return plan.layout.packed && plan.layout.rows.size() > 1;
}

/// The rows of a packed layout as one.
std::optional<MultimodalIds> one_document(const IdPlan& right) {
    if (!has_documents(right)) {
        return std::nullopt;
    }
    return changed_ids(right, [](IdPlan& plan) {
        std::vector<Segment> row;
        for (const auto& document : plan.layout.rows) {
            row.insert(row.end(), document.begin(), document.end());
        }
        plan.layout.rows = {row};
    });
}

/// Padding of packed documents as text of the first or the last.
std::optional<MultimodalIds> counted_padding_of_documents(const IdPlan& right) {
    return changed_ids(right, [&](IdPlan& plan) {
        const Segment padding{.text = plan.layout.filled_length - tokens_of_rows(right)};
        if (plan.layout.padding == Padding::left) {
            plan.layout.rows.front().insert(plan.layout.rows.front().begin(), padding);
        } else {
            plan.layout.rows.back().push_back(padding);
        }
        plan.layout.padding = Padding::none;
    });
}

/// Padding as text.
std::optional<MultimodalIds> counted_padding(const IdPlan& right) {
    if (!has_padding(right)) {
        return std::nullopt;
    }
    if (right.layout.packed) {
        return counted_padding_of_documents(right);
    }
    return changed_ids(right, [&](IdPlan& plan) {
        Index longest = 0;
        for (Index row = 0; row < std::ssize(plan.layout.rows); ++row) {
            longest = std::max(longest, own_tokens(right, row));
        }
        for (Index row = 0; row < std::ssize(plan.layout.rows); ++row) {
            auto& segments = plan.layout.rows[row];
            const Segment padding{.text = longest - own_tokens(right, row)};
            segments.insert(
                right.layout.padding == Padding::left ? segments.begin() : segments.end(), padding);
        }
        plan.layout.padding = Padding::none;
    });
}

/// Decode steps counted from another number of tokens.
std::optional<MultimodalIds> decoded(const IdPlan& right, CountDecode decode) {
    if (!has_decode(right)) {
        return std::nullopt;
    }
    return changed_ids(right, [&](IdPlan& plan) { plan.decode = std::move(decode); });
}

std::optional<MultimodalIds> other_side(const IdPlan& right) {
    if (!has_padding(right)) {
        return std::nullopt;
    }
    return changed_ids(right, [](IdPlan& plan) {
        plan.layout.padding = plan.layout.padding == Padding::left ? Padding::right : Padding::left;
    });
}

/// A row without its first tokens; nothing if these end inside a block.
std::optional<std::vector<Segment>> without_first(const IdPlan& plan, std::vector<Segment> row,
                                                  Index first) {
    while (first > 0) {
        if (row.empty()) {
            return std::nullopt;
        }
        const Index tokens = token_count(plan.rule, row.front());
        if (tokens <= first) {
            first -= tokens;
            row.erase(row.begin());
        } else if (row.front().kind == SegmentKind::text) {
            row.front().text -= first;
            first = 0;
        } else {
            return std::nullopt;
        }
    }
    return row;
}

/// The chunk of rows without what stands before it, behind `ahead` tokens of text.
std::optional<MultimodalIds> chunk_alone(const IdPlan& right, Index ahead) {
    if (!has_chunk(right) || right.layout.packed || has_padding(right)) {
        return std::nullopt;
    }
    IdPlan plan = right;
    plan.layout.length.reset();
    plan.layout.chunk->first = ahead;
    for (auto& row : plan.layout.rows) {
        const auto rest = without_first(right, row, right.layout.chunk->first);
        if (!rest) {
            return std::nullopt;
        }
        row = *rest;
        row.insert(row.begin(), Segment{.text = ahead});
    }
    return layout_ids(plan);
}

std::optional<MultimodalIds> without_deltas(const IdPlan& right) {
    MultimodalIds ids = layout_ids(right);
    std::ranges::fill(ids.deltas, 0);
    return ids;
}

std::optional<MultimodalIds> first_row_for_all(const IdPlan& right) {
    MultimodalIds ids = layout_ids(right);
    for (Index axis = 0; axis < ids.axes; ++axis) {
        for (Index b = 1; b < ids.batch; ++b) {
            for (Index token = 0; token < ids.length; ++token) {
                ids.ids[(axis * ids.batch + b) * ids.length + token] = ids.at(axis, 0, token);
            }
        }
    }
    return ids;
}

std::optional<MultimodalIds> from_one(const IdPlan& right) {
    MultimodalIds ids = layout_ids(right);
    std::ranges::for_each(ids.ids, [](Index& id) { ++id; });
    return ids;
}

/// The tokens of one rank among `size`, of a sequence of `length`.
using RankTokens = std::vector<Index> (*)(Index length, Index rank, Index size);

/// The ids of the shards if ranks take other tokens.
std::optional<MultimodalIds> sharded(const IdPlan& right, RankTokens tokens_of_rank) {
    if (!has_shards(right)) {
        return std::nullopt;
    }
    IdPlan plan = right;
    plan.layout.shards.reset();
    const MultimodalIds whole = layout_ids(plan);
    const Index size = right.layout.shards->size;
    const std::optional<Index> only = right.layout.shards->rank;
    std::vector<Index> tokens;
    for (Index rank = only.value_or(0); rank <= only.value_or(size - 1); ++rank) {
        const std::vector<Index> more = tokens_of_rank(whole.length, rank, size);
        tokens.insert(tokens.end(), more.begin(), more.end());
    }
    return tokens_of(whole, tokens);
}

std::vector<Index> one_after_the_other(Index length, Index rank, Index size) {
    std::vector<Index> tokens(length / size);
    std::iota(tokens.begin(), tokens.end(), rank * (length / size));
    return tokens;
}

std::vector<Index> by_turns(Index length, Index rank, Index size) {
    std::vector<Index> tokens;
    for (Index token = rank; token < length; token += size) {
        tokens.push_back(token);
    }
    return tokens;
}

std::vector<Index> halves_swapped(Index length, Index rank, Index size) {
    std::vector<Index> tokens = shard_tokens(length, rank, size);
    std::rotate(tokens.begin(), tokens.begin() + std::ssize(tokens) / 2, tokens.end());
    return tokens;
}

/// Each document is shared out by itself, or all of them as one sequence.
std::optional<MultimodalIds> sharded_documents(const IdPlan& right, bool per_document) {
    if (!has_shards(right) || !has_documents(right) ||
        right.layout.shards->per_document == per_document) {
        return std::nullopt;
    }
    for (Index row = 0; per_document && row < std::ssize(right.layout.rows); ++row) {
        if (own_tokens(right, row) % (2 * right.layout.shards->size) != 0) {
            return std::nullopt;
        }
    }
    return changed_ids(right,
                       [&](IdPlan& plan) { plan.layout.shards->per_document = per_document; });
}

/// Ids 0, 1, ... in each rank.
std::optional<MultimodalIds> counted_in_ranks(const IdPlan& right) {
    if (!has_shards(right)) {
        return std::nullopt;
    }
    MultimodalIds ids = layout_ids(right);
    const Index size = right.layout.shards->size;
    const std::optional<Index> only = right.layout.shards->rank;
    const Index own = ids.length / (only ? 1 : size);
    for (Index i = 0; i < std::ssize(ids.ids); ++i) {
        ids.ids[i] = i % ids.length % own;
    }
    return ids;
}

/// The kept tokens of each row at 0, 1, ..., or from the position of the first one on.
std::optional<MultimodalIds> compacted(const IdPlan& right, bool from_first) {
    if (right.layout.kept.empty()) {
        return std::nullopt;
    }
    MultimodalIds ids = layout_ids(right);
    for (Index i = 0; i < std::ssize(ids.ids); ++i) {
        const Index slot = i % ids.length;
        ids.ids[i] = slot + (from_first ? ids.ids[i - slot] : 0);
    }
    return ids;
}

std::vector<IdFault> padding_faults() {
    return {
        {faults::code("ids.padding_counted"),
         "left padding, or a decode step behind padding",
         has_padding,
         {{"Padding is counted as tokens.", counted_padding},
          {"Decode steps count the padding although the delta does, too, or leave it out although "
           "the delta does not.",
           [](const IdPlan& right) {
               const bool older = right.version == PositionVersion::transformers_4;
               return decoded(right, [older](Index length, Index own, Index delta) {
                   return (older ? own : length) + delta;
               });
           }}}},
        {faults::code("ids.padding_side"),
         "rows of different lengths",
         has_padding,
         {{"The ids are those of rows padded on the other side.", other_side}}},
        {faults::code("ids.rows_repeated"),
         "rows that are not alike",
         [](const IdPlan& plan) { return !plan.layout.packed && plan.layout.rows.size() > 1; },
         {{"All rows have the ids of the first.", first_row_for_all}}}};
}

std::vector<IdFault> decode_faults() {
    return {
        {faults::code("ids.delta_lost"),
         "a decode step or a chunk behind an image",
         [](const IdPlan& plan) { return has_decode(plan) || has_chunk(plan); },
         {{"Decode steps are counted by the number of tokens, padding included; the delta is lost.",
           [](const IdPlan& right) {
               return decoded(right, [](Index length, Index, Index) { return length; });
           }},
          {"Decode steps are counted by the number of tokens; the delta is lost.",
           [](const IdPlan& right) {
               return decoded(right, [](Index, Index own, Index) { return own; });
           }},
          {"The chunk goes on at its number of tokens; the delta of what stands before it is lost.",
           [](const IdPlan& right) -> std::optional<MultimodalIds> {
               return has_chunk(right) ? chunk_alone(right, right.layout.chunk->first)
                                       : std::nullopt;
           }},
          {"The deltas are 0.", without_deltas}}},
        {faults::code("ids.delta_twice"),
         "a decode step behind an image",
         has_decode,
         {{"Decode steps have the delta twice.",
           [](const IdPlan& right) {
               const bool padded =
                   right.layout.packed || right.version == PositionVersion::transformers_4;
               return decoded(right, [padded](Index length, Index own, Index delta) {
                   return (padded ? length : own) + 2 * delta;
               });
           }}}},
        {faults::code("ids.chunk_restart"),
         "a chunk that does not begin with the first token",
         has_chunk,
         {{"The chunk counts from 0.",
           [](const IdPlan& right) { return chunk_alone(right, 0); }}}}};
}

std::vector<IdFault> shard_faults() {
    return {
        {faults::code("ids.shards_order"),
         "two ranks or more",
         has_shards,
         {{"Each rank has a single run of tokens, one rank after the other; context parallelism "
           "gives it a part from the front and one from the back.",
           [](const IdPlan& right) { return sharded(right, one_after_the_other); }},
          {"Ranks take single tokens by turns.",
           [](const IdPlan& right) { return sharded(right, by_turns); }},
          {"The two parts of each rank have changed places.",
           [](const IdPlan& right) { return sharded(right, halves_swapped); }},
          {"The ranks come in the reverse order.",
           [](const IdPlan& right) {
               return sharded(right, [](Index length, Index rank, Index size) {
                   return shard_tokens(length, size - 1 - rank, size);
               });
           }},
          {"The documents are shared out as one sequence, and not each by itself.",
           [](const IdPlan& right) { return sharded_documents(right, false); }},
          {"Each document is shared out by itself, and not all of them as one sequence.",
           [](const IdPlan& right) { return sharded_documents(right, true); }},
          {"The ids are those of the next rank.",
           [](const IdPlan& right) {
               return sharded(right, [](Index length, Index rank, Index size) {
                   return shard_tokens(length, (rank + 1) % size, size);
               });
           }},
          {"The ids are those of the rank before.",
           [](const IdPlan& right) {
               return sharded(right, [](Index length, Index rank, Index size) {
                   return shard_tokens(length, (rank + size - 1) % size, size);
               });
           }}}},
        {faults::code("ids.shards_restart"),
         "two ranks or more",
         has_shards,
         {{"Each rank counts its own tokens from 0.", counted_in_ranks}}}};
}

}  // namespace

std::vector<IdFault> batch_faults() {
    std::vector<IdFault> faults = {
        {faults::code("ids.restart_missing"),
         "two documents or more",
         has_documents,
         {{"Positions run on from one document to the next.", one_document}}},
        {faults::code("ids.one_based"),
         "any token",
         [](const IdPlan&) { return true; },
         {{"All ids are larger by 1: they count from 1.", from_one}}},
        {faults::code("ids.compacted"),
         "kept tokens behind one that is left out",
         [](const IdPlan& plan) { return !plan.layout.kept.empty(); },
         {{"The kept tokens have the numbers of their slots, 0, 1, ..., and not their positions.",
           [](const IdPlan& right) { return compacted(right, false); }},
          {"The kept tokens count on from the first one, and what is left out between them is "
           "lost.",
           [](const IdPlan& right) { return compacted(right, true); }}}}};
    for (auto* const part : {&padding_faults, &decode_faults, &shard_faults}) {
        std::ranges::move(part(), std::back_inserter(faults));
    }
    return faults;
}

}  // namespace ropescope
