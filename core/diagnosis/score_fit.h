// The factor between products of queries and keys and the scores of a dump, and how exactly they
// were formed. Both are read off a sample, by what most of it says: score_check.h then holds every
// score to them.
#pragma once

#include <optional>

#include "core/diagnosis/score_products.h"

namespace ropescope::diagnosis {

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
