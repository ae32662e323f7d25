// Which masked scores a mask explains.
#pragma once

#include <vector>

#include "core/base/index.h"

namespace ropescope::diagnosis {

/// What is masked in one row of a batch, [queries, keys].
struct MaskedScores {
    Index queries = 0, keys = 0;
    std::vector<char> masked = {};
    /// [queries]: q_rot is 0 in every head, as padding may be.
    std::vector<char> empty_query = {};

    bool at(Index query, Index key) const { return masked[query * keys + key] != 0; }
};

/// [queries, keys]: what is masked although no mask explains it. A mask hides
/// - keys of padding: those that no query sees;
/// - anything from a query of padding: one whose own key is padding, or that is empty. Of as many
///   queries as keys query l has key l; of fewer, the last has the last key that is no padding, or,
///   if it sees nothing, the last key (the end of a chunk with padding on the right). A query that
///   sees every key may be padding too, because some implementations let those see all;
/// - from a query l key n, if from l and all earlier queries n and all later keys are hidden
///   (causal, a prefix, chunks, documents, a window), or if from l and all later queries n and all
///   earlier keys are (a window, chunks, documents).
/// A query that is no padding sees a key.
std::vector<char> without_a_mask(const MaskedScores& scores);

}  // namespace ropescope::diagnosis
