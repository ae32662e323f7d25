// Fits one factor to the scores of a dump.
#include "core/diagnosis/softmax_scale.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/faults/codes.h"
#include "core/rope/spectrum.h"

namespace ropescope::diagnosis {
namespace {

/// The factor on the products that fits best, and what it leaves, as a share.
struct FittedScale {
    double scale = 0.0, left = 0.0;
};

std::optional<FittedScale> fitted_scale(const Dump& dump) {
    const DumpTensor &q = dump.q->after, &k = dump.k->after, &scores = *dump.scores;
    double sum = 0.0, squares = 0.0, all = 0.0;
    std::vector<double> query(q.channels), key(k.channels), row(scores.channels);
    const Index group = std::max<Index>(1, q.heads / k.heads);
    constexpr Index kMostQueries = 64;
    for (Index i = 0; i < std::min(q.length, kMostQueries); ++i) {
        const Index l = q.length - 1 - i * q.length / std::min(q.length, kMostQueries);
        for (Index h = 0; h < q.heads; ++h) {
            q.read(0, h, l, query);
            scores.read(0, h, l, row);
            for (Index n = 0; n < k.length; ++n) {
                if (!(std::abs(row[n]) < 1e4)) {
                    continue;  // masked
                }
                k.read(0, h / group, n, key);
                double product = 0.0;
                for (std::size_t c = 0; c < key.size(); ++c) {
                    product += query[c] * key[c];
                }
                sum += row[n] * product;
                squares += product * product;
                all += row[n] * row[n];
            }
        }
    }
    if (!(squares > 0.0) || !(all > 0.0)) {
        return std::nullopt;
    }
    const double left = std::max(0.0, all - sum * sum / squares) / all;
    return FittedScale{sum / squares, std::sqrt(left)};
}

}  // namespace

std::optional<Finding> softmax_finding(const Dump& dump, const Explanation& side,
                                       const Expectation* expectation) {
    if (!dump.scores || !dump.q || !dump.k) {
        return std::nullopt;
    }
    const std::optional<FittedScale> fitted = fitted_scale(dump);
    if (!fitted) {
        return std::nullopt;
    }
    double expected = 1.0 / std::sqrt(to_double(side.head_dim));
    if (expectation != nullptr && !expectation->specs.empty()) {
        expected *= make_spectrum(expectation->specs.front()).softmax_scale_factor;
    }
    // A sum of head_dim products in the format of the scores is exact to about sqrt(head_dim) of
    // its units; eight times that is far below any factor that people mistake.
    const double allowed =
        8.0 * effective_format(*dump.scores).unit * std::sqrt(to_double(side.head_dim));
    if (fitted->left < 0.1 && std::abs(fitted->scale / expected - 1.0) <= std::max(allowed, 1e-5)) {
        return std::nullopt;
    }
    return Finding{faults::kSoftmaxScale,
                   fitted->left < 0.1
                       ? fmt::format("Scores are q_rot . k_rot times {:.6g}; {:.6g} is expected.",
                                     fitted->scale, expected)
                       : "Scores are not a multiple of q_rot . k_rot; dump them before the mask "
                         "and the softmax.",
                   "scores", fitted->scale, expected};
}

}  // namespace ropescope::diagnosis
