// The factor between products of rotated q and k and the scores of a dump.
#pragma once

#include <optional>

#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/score_fit.h"

namespace ropescope::diagnosis {

/// 1 / sqrt(head_dim), or what the model has in its place, if `expectation` is not null.
double expected_softmax_scale(Index head_dim, const Expectation* expectation);

/// A finding `softmax.scale` if the factor is not the expected one: a fault, or a note where only
/// the model can say.
std::optional<Finding> factor_finding(const ScoreFit& fit, Index head_dim,
                                      const Expectation* expectation);

}  // namespace ropescope::diagnosis
