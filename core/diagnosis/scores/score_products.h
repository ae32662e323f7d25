// The products of queries and keys that scores are multiples of, and what becomes of both before
// they are multiplied. Kernels round what they are given, so that the rounded numbers follow from
// those of a dump: scores in 16-bit arithmetic are predicted as exactly as those in float32, and
// none has room to be wrong.
#pragma once

#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "core/diagnosis/dump.h"
#include "core/diagnosis/rounding.h"

namespace ropescope::diagnosis {

/// To nearest, ties to even, but for TF32 (float32 with 10 bits behind the point), which hardware
/// also rounds with ties away from zero, or cuts off.
enum class TermRounding : std::uint8_t { none, f16, bf16, tf32, tf32_away, tf32_cut };

struct ScoreTerms {
    /// Where the factor is applied: to the scores; to queries; its root to queries and to keys.
    enum class FactorOn : std::uint8_t { scores, queries, both };

    TermRounding q = TermRounding::none, k = TermRounding::none;
    FactorOn factor_on = FactorOn::scores;
    bool rounded_before = false;  ///< the terms are rounded before the factor, and again behind it
    double factor = 1.0;
    /// The dump has the very numbers that the kernel rounded: they have 16 bits, as in its memory.
    bool of_kept_numbers = false;

    bool as_dumped() const { return q == TermRounding::none && k == TermRounding::none; }
    /// Puts what is multiplied in place of a query or a key, with the factor divided out. Returns
    /// by how much it may be another vector: a number that lies within some float32 units of the
    /// middle between two of the format may be rounded to either.
    double apply(bool to_query, std::span<double> vector) const;
};

/// Those that kernels have: the dumped ones, and then from the most frequent on.
std::vector<ScoreTerms> usual_terms();

/// The numbers that a score may be: those of a format, or those times the factor, which was then
/// applied in float32 to sums in the format. Any number if the format is float64.
struct ScoreGrid {
    Dtype dtype = Dtype::f64;
    double factor = 1.0;

    bool holds(double score) const;
};

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
