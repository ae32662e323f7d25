// Holds the factor on the scores to that of the model.
#include "core/diagnosis/softmax_scale.h"

#include <algorithm>
#include <cmath>

#include "core/diagnosis/phrases.h"
#include "core/faults/codes.h"
#include "core/rope/spectrum.h"

namespace ropescope::diagnosis {
namespace {

/// Without an expectation, a factor of the model's own is as likely as a fault, but for those that
/// are made by forgetting a part of the formula, and those that no model has.
bool is_mistake(double scale, double head_dim, double allowed) {
    const auto is = [&](double value) { return std::abs(scale / value - 1.0) <= allowed; };
    return scale < 0.0 || is(1.0) || is(1.0 / head_dim) || is(std::sqrt(head_dim));
}

/// A sum of head_dim products in the format of the scores is exact to about sqrt(head_dim) of its
/// units; eight times that is far below any factor that people mistake. Coarser terms leave the
/// factor uncertain by its standard error, and by the rounding of a query, which all its scores
/// share; a few scores do not tell how coarse they are.
double allowed_share(const ScoreFit& fit, double head_dim) {
    const double root = std::sqrt(head_dim);
    const double terms = fit.samples < 20 ? 0x1p-8 : fit.unit_of_terms;
    return std::max(8.0 * fit.unit * root, 1e-5) + 4.0 * fit.factor_error + 2.0 * terms;
}

}  // namespace

/// Gemma's and Granite's files say.
double expected_softmax_scale(Index head_dim, const Expectation* expectation) {
    const double usual = 1.0 / std::sqrt(to_double(head_dim));
    if (expectation == nullptr) {
        return usual;
    }
    const double stated = expectation->softmax_scale.value_or(usual);
    return expectation->specs.empty()
               ? stated
               : stated * make_spectrum(expectation->specs.front()).softmax_scale_factor;
}

std::optional<Finding> factor_finding(const ScoreFit& fit, Index head_dim,
                                      const Expectation* expectation) {
    const double expected = expected_softmax_scale(head_dim, expectation);
    const double allowed = allowed_share(fit, to_double(head_dim));
    if (std::abs(fit.factor / expected - 1.0) <= allowed) {
        return std::nullopt;
    }
    Finding finding{faults::code("softmax.scale"),
                    {say::kOtherFactor, {fit.factor, expected}},
                    {.tensor = "scores"},
                    fit.factor,
                    expected};
    if (expectation == nullptr && !is_mistake(fit.factor, to_double(head_dim), allowed)) {
        finding.words.phrase = &say::kOwnFactor;
        finding.weight = Weight::note;
    }
    return finding;
}

}  // namespace ropescope::diagnosis
