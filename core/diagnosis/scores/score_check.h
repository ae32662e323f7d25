// Holds every score of a dump to its product.
#pragma once

#include <tuple>
#include <vector>

#include "core/diagnosis/scores/score_fit.h"

namespace ropescope::diagnosis {

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
    /// By all of several heads, though no mask that is known (score_mask.h) explains them: it may
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
