// The factor between products of queries and keys and the scores of a dump, and how exactly they
// were formed. Both are read off a sample, by what most of it says: score_check.h then holds every
// score to them. Sources: score_fit.cpp, score_products.cpp.
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <span>

#include "core/diagnosis/dump.h"

namespace ropescope::diagnosis {

/// Queries and keys of whose products the scores may be multiples.
struct ScoreFactors {
    const DumpTensor &q, &k;
    bool in_turn = false;  ///< query head h reads key head h mod n, not h div group
    double cap = 0.0;      ///< scores are cap tanh(x / cap) of multiples x; 0: are multiples

    Index key_head(Index h) const { return in_turn ? h % k.heads : h * k.heads / q.heads; }
};

/// Scores of one query and a run of keys. Products are formed in float64; `sizes` are |q| |k|,
/// which no sum of |q_c k_c| exceeds.
struct ScoreRow {
    Index b = 0, h = 0, query = 0, first_key = 0;
    std::span<const double> scores, products, sizes;
};

/// How far a score may be from factor * product:
/// |factor| (of_sizes |q| |k| + of_products |product|) + least.
struct ScoreTolerance {
    double of_sizes = 0.0, of_products = 0.0, least = 0.0;

    double at(double factor, double product, double size) const {
        return std::abs(factor) * (of_sizes * size + of_products * std::abs(product)) + least;
    }
};

/// Scores of a row by what they are.
struct RowCount {
    Index judged = 0;  ///< neither q nor k is 0
    Index zero = 0;    ///< and the score is 0
    Index wrong = 0;   ///< beyond the tolerance, or no number
};
RowCount count_row(const ScoreRow& row, double factor, const ScoreTolerance& tolerance);

/// Queries [first, last) of batch row b.
struct QueryBlock {
    Index b = 0, first = 0, last = 0;
};

/// Calls `take` for every score of these queries and every head, head by head.
void visit_scores(const ScoreFactors& factors, const DumpTensor& scores, const QueryBlock& block,
                  const std::function<void(const ScoreRow&)>& take);

/// At or below this a score is masked: it is what -10000, the smallest number that people add to
/// hide a key, becomes in bf16 (-9984) beside a product of at most 84.
inline constexpr double kLargestMask = -9900.0;

/// A factor and the tolerance beside it. Scores are sums of n products:
/// |error| <= factor |q| |k| ((n + 1) u_sum + 4 u_in) + 3 u_scores |factor product| + s,
/// where u_sum is the unit of the sum, float32 or better; u_in that of the format in which q and k
/// went into it: each may differ from its dump by the rounding of the dump, and by one more behind
/// a part of the factor; u_scores that of the scores, which are rounded as a sum, times the factor,
/// and times its own rounding; and s their smallest step.
struct ScoreFit {
    double factor = 0.0;
    double factor_error = 0.0;  ///< its standard error, as a share
    ScoreTolerance tolerance = {};
    Index samples = 0;
    double share = 0.0;          ///< of the samples that it explains
    double unit = 0.0;           ///< u_scores
    double unit_of_terms = 0.0;  ///< u_in
};

/// `expected` is the factor to try first. Empty if no score of the sample says anything: all are
/// masked or no numbers, or all products are 0.
std::optional<ScoreFit> fit_scores(const ScoreFactors& factors, const DumpTensor& scores,
                                   double expected);

/// The tolerance of sums in float32, for scores of which none says more.
ScoreTolerance usual_tolerance(const ScoreFactors& factors, const DumpTensor& scores);

}  // namespace ropescope::diagnosis
