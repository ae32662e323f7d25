// Holds every score of a dump to its product, and masked ones to masks.
#pragma once

#include <tuple>
#include <vector>

#include "core/base/index.h"
#include "core/diagnosis/scores/score_fit.h"

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

struct ScorePlace {
    Index b = 0, h = 0, query = 0, key = 0;
    bool is_before(const ScorePlace& other) const {
        return std::tie(b, h, query, key) < std::tie(other.b, other.h, other.query, other.key);
    }
};

/// Scores of which the same is said: how many, where they lie, and the first.
struct ScoreGroup {
    std::vector<Index> of_head = {};  ///< [batch, heads]: how many
    Index count = 0;
    Index first_query = 0, last_query = 0, first_key = 0, last_key = 0;
    ScorePlace first = {};
    double measured = 0.0, ideal = 0.0;  ///< of the first: the score, and factor * product

    void add(const ScorePlace& place, std::size_t head, double score, double factor_times_product);
    /// `first_head` is the place of the other's first head.
    void merge(const ScoreGroup& other, std::size_t first_head = 0);
};

struct ScoreCheck {
    ScoreGroup wrong = {};       ///< other numbers than they should be
    ScoreGroup not_finite = {};  ///< NaN or infinity
    ScoreGroup masked = {};      ///< by some heads alone, or all that a query has
    /// By all of several heads, though no mask that is known (above) explains them: it may
    /// be another (strided, a tree, tokens that all see).
    ScoreGroup unusual_mask = {};
    /// [batch, heads]: scores that are not masked and whose q_rot and k_rot are not 0; and those of
    /// them that are 0.
    std::vector<Index> judged = {}, zero = {};
};

/// Masked are minus infinity and what lies at kLargestMask or below, or as far below its product
/// and half as far below 0, unless it is right. A mask is that of all heads of a batch row: what
/// only some of them hide, no mask explains, nor what hides all keys from a query.
ScoreCheck check_scores(const ScoreFactors& factors, const DumpTensor& scores, double factor,
                        const ScoreTolerance& tolerance);

}  // namespace ropescope::diagnosis
