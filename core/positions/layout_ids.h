// The position ids of a whole layout: batches, packed documents, decode steps, chunks and shards.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/positions/multimodal_ids.h"
#include "core/positions/token_layout.h"

namespace ropescope {

/// The first id of a decode behind a sequence of `length` tokens, of which `own` are not padding.
using CountDecode = std::function<Index(Index length, Index own, Index delta)>;

/// How ids are made. A fault changes one part of it.
struct IdPlan {
    using Made = MultimodalIds;
    /// Two faults at once are looked for in at most so many tokens: a few thousand pairs are tried.
    static constexpr Index kMostTokensOfPairs = 4096;

    MultimodalRule rule = {};
    PositionVersion version = PositionVersion::transformers_5;
    TokenLayout layout = {};
    CountBlock block = {};    ///< empty: as the rule's family counts
    CountDecode decode = {};  ///< empty: length (version 5: own) + delta
    /// Makes the ids from the rest of the plan in place of layout_ids(), if it is set and gives
    /// some: a second fault, done to what a first one has changed.
    std::function<std::optional<MultimodalIds>(const IdPlan& changed)> second = {};
};

/// Ids of all rows with their padding and their decode steps; neither chunk nor shards count yet.
/// Throws InputError as multimodal_ids() does.
MultimodalIds whole_ids(const IdPlan& plan);
/// The origins of those tokens, [batch, length]. The layout must be one of which whole_ids() makes
/// ids.
std::vector<TokenOrigin> whole_origins(const IdPlan& plan);

/// The numbers of the tokens in the layout's chunk, in its shards, or kept of it, or 0, 1, ... if
/// it has none of them. Throws InputError if they do not fit the length.
std::vector<Index> part_tokens(const IdPlan& plan, Index length);

/// The ids of the part of the layout that is asked for: its chunk, its shards, what is kept, or
/// all.
MultimodalIds layout_ids(const IdPlan& plan);
/// Their origins, [batch, length].
std::vector<TokenOrigin> layout_origins(const IdPlan& plan);

/// Tokens of a row of the layout, without padding.
Index own_tokens(const IdPlan& plan, Index row);

}  // namespace ropescope
