// What is wrong with the scores of a dump.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/scores/score_fit.h"

namespace ropescope::diagnosis {

/// Every score of every batch row, head, query and key is held to q_rot . k_rot times one factor,
/// within the rounding of the arithmetic that formed them (score_fit.h):
/// - softmax.scale: the factor is not that of the expectation, which may be null, or else
///   1 / sqrt(head_dim); or scores are no multiple of q_rot . k_rot, but perhaps of other products;
/// - scores.not_the_product: some are other numbers, or 0;
/// - scores.not_finite: some are NaN or infinite;
/// - scores.masked: some are minus infinity, or a large number below 0, where no mask hides a key
///   (score_check.h), or all are; a note if all of several heads hide the same, as some other mask
///   may.
/// Empty if nothing is, or if the dump has no scores, or not both sides.
std::vector<Finding> score_findings(const Dump& dump, const Expectation* expectation);

/// Whether a finding with this code is about scores.
bool is_about_scores(std::string_view code);

/// 1 / sqrt(head_dim), or what the model has in its place, if `expectation` is not null.
double expected_softmax_scale(Index head_dim, const Expectation* expectation);

/// A finding `softmax.scale` if the factor is not the expected one: a fault, or a note where only
/// the model can say.
std::optional<Finding> factor_finding(const ScoreFit& fit, Index head_dim,
                                      const Expectation* expectation);

}  // namespace ropescope::diagnosis
