// The factor between products of queries and keys and the scores of a dump, and how exactly they
// were formed. Both are read off a sample: score_check.h then holds every score to them.
#pragma once

#include <optional>

#include "core/diagnosis/scores/score_sample.h"

namespace ropescope::diagnosis {

/// A factor, the terms that were multiplied, and the tolerance beside them. Scores are sums of n
/// products:
/// |error| <= factor (|q| |k| (n + 5) u_sum + spread) + 3 u_scores |factor product| + s,
/// where u_sum is the unit of the sum, float32 or better, and of q and k that were formed in it;
/// spread is what terms beside the middle of two numbers of their format leave open
/// (ScoreTerms::apply); u_scores is the unit of the scores, which are rounded as a sum, times the
/// factor, and times its own rounding; and s their smallest step.
///
/// No score buys itself a tolerance: of all arithmetics that kernels have, each predicts scores to
/// float32 and the scores' own rounding, and the one that explains most is taken. Only dumps whose
/// q_rot or k_rot were rounded to 16 bits do not tell what was multiplied. For those, terms that
/// differ by as much are taken if no other explains all scores, and these explain all, errors
/// scattered as rounding scatters them (are_errors_of_terms).
struct ScoreFit {
    double factor = 0.0;
    double factor_error = 0.0;  ///< its standard error, as a share
    ScoreTerms terms = {};
    ScoreTolerance tolerance = {};
    Index samples = 0;
    double share = 0.0;                  ///< of the samples that it explains
    double predicted = 0.0;              ///< and of those without what ties leave open
    double unit = 0.0;                   ///< u_scores
    double unit_of_terms = 0x1p-24;      ///< what is not known of them, as a share
    std::optional<ScoreLean> lean = {};  ///< the largest, of a head if one leans as a whole
};

/// `expected` is the factor to try first. Empty if no score of the sample says anything: all are
/// masked or no numbers, or all products are 0.
std::optional<ScoreFit> fit_scores(const ScoreFactors& factors, const DumpTensor& scores,
                                   double expected);

/// The tolerance of sums in float32, for scores of which none says more.
ScoreTolerance usual_tolerance(const ScoreFactors& factors, const DumpTensor& scores);

}  // namespace ropescope::diagnosis
