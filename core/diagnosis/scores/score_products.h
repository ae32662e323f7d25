// The products of queries and keys that scores are multiples of, beside the scores.
#pragma once

#include <cmath>
#include <functional>
#include <span>

#include "core/diagnosis/dump.h"
#include "core/diagnosis/scores/score_terms.h"

namespace ropescope::diagnosis {

/// Queries and keys of whose products the scores may be multiples.
struct ScoreFactors {
    const DumpTensor &q, &k;
    bool in_turn = false;   ///< query head h reads key head h mod n, not h div group
    double cap = 0.0;       ///< scores are cap tanh(x / cap) of multiples x; 0: are multiples
    ScoreTerms terms = {};  ///< what is multiplied in place of q and k

    Index key_head(Index h) const { return in_turn ? h % k.heads : h * k.heads / q.heads; }
};

/// Scores of one query and a run of keys. Products of the terms are formed in float64; `sizes` are
/// |q| |k|, which no sum of |q_c k_c| exceeds; and products of other terms that may have been
/// multiplied (ScoreTerms::apply) differ by no more than `spreads`.
struct ScoreRow {
    Index b = 0, h = 0, query = 0, first_key = 0;
    std::span<const double> scores, products, sizes, spreads;
};

/// How far a score may be from factor * product:
/// |factor| (of_sizes |q| |k| + spread + of_products |product|) + least; and which numbers it may
/// be.
struct ScoreTolerance {
    double of_sizes = 0.0, of_products = 0.0, least = 0.0;
    ScoreGrid grid = {};

    double at(double factor, double product, double size, double spread) const {
        return std::abs(factor) * (of_sizes * size + spread + of_products * std::abs(product)) +
               least;
    }
    bool allows(double score, double factor, double product, double size, double spread) const {
        return std::abs(score - factor * product) <= at(factor, product, size, spread) &&
               grid.holds(score);
    }
};

/// Scores of a row by what they are.
struct RowCount {
    Index judged = 0;  ///< neither q nor k is 0
    Index zero = 0;    ///< and the score is 0
    Index wrong = 0;   ///< beyond the tolerance, not of its grid, or no number
};
RowCount count_row(const ScoreRow& row, double factor, const ScoreTolerance& tolerance);

/// Queries [first, last) of batch row b.
struct QueryBlock {
    Index b = 0, first = 0, last = 0;
};

/// Calls `take` for every score of these queries and every head, head by head.
void visit_scores(const ScoreFactors& factors, const DumpTensor& scores, const QueryBlock& block,
                  const std::function<void(const ScoreRow&)>& take);

}  // namespace ropescope::diagnosis
