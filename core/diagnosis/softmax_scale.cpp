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

/// Products of which the scores may be multiples.
struct Products {
    const DumpTensor &q, &k;
    bool in_turn = false;  ///< query head h reads key head h mod n, not h div group
};

std::optional<FittedScale> fitted_scale(const Products& products, const DumpTensor& scores) {
    const DumpTensor &q = products.q, &k = products.k;
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
                k.read(0, products.in_turn ? h % k.heads : h / group, n, key);
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

constexpr double kMultiple = 0.1;  // left over, as a share: more is not rounding

/// What the scores are in place of a multiple of q_rot . k_rot.
std::string text_of_other_products(const Dump& dump) {
    const DumpSide &q = *dump.q, &k = *dump.k;
    const auto are = [&](const Products& products) {
        const auto fitted = fitted_scale(products, *dump.scores);
        return fitted && fitted->left < kMultiple;
    };
    if (are({q.after, k.after, true})) {
        return fmt::format(
            "Query head h reads key head h mod {0} where groups of {1} neighbours share one: keys "
            "were repeated as a whole, not each {1} times.",
            k.after.heads, q.after.heads / k.after.heads);
    }
    if (are({q.before, k.before})) {
        return "Scores are a multiple of q . k: neither is rotated in them.";
    }
    if (are({q.after, k.before})) {
        return "Scores are a multiple of q_rot . k: k is not rotated in them.";
    }
    if (are({q.before, k.after})) {
        return "Scores are a multiple of q . k_rot: q is not rotated in them.";
    }
    return "Scores are not a multiple of q_rot . k_rot; dump them before the mask and the softmax.";
}

/// 1 / sqrt(head_dim), or what the model has in its place; Gemma's and Granite's say.
double expected_scale(const Explanation& side, const Expectation* expectation) {
    const double usual = 1.0 / std::sqrt(to_double(side.head_dim));
    if (expectation == nullptr) {
        return usual;
    }
    const double stated = expectation->softmax_scale.value_or(usual);
    return expectation->specs.empty()
               ? stated
               : stated * make_spectrum(expectation->specs.front()).softmax_scale_factor;
}

/// Without an expectation, a factor of the model's own is as likely as a fault, but for those that
/// are made by forgetting a part of the formula.
bool is_mistake(double scale, double head_dim, double allowed) {
    const auto is = [&](double value) { return std::abs(scale / value - 1.0) <= allowed; };
    return is(1.0) || is(1.0 / head_dim) || is(std::sqrt(head_dim));
}

}  // namespace

std::optional<Finding> softmax_finding(const Dump& dump, const Explanation& side,
                                       const Expectation* expectation) {
    if (!dump.scores || !dump.q || !dump.k) {
        return std::nullopt;
    }
    const std::optional<FittedScale> fitted =
        fitted_scale({dump.q->after, dump.k->after}, *dump.scores);
    if (!fitted) {
        return std::nullopt;
    }
    if (fitted->left >= kMultiple) {
        return Finding{faults::kSoftmaxScale, text_of_other_products(dump), "scores", fitted->scale,
                       expected_scale(side, expectation)};
    }
    const double expected = expected_scale(side, expectation);
    // A sum of head_dim products in the format of the scores is exact to about sqrt(head_dim) of
    // its units; eight times that is far below any factor that people mistake.
    const double head_dim = to_double(side.head_dim);
    const double allowed =
        std::max(8.0 * effective_format(*dump.scores).unit * std::sqrt(head_dim), 1e-5);
    if (std::abs(fitted->scale / expected - 1.0) <= allowed) {
        return std::nullopt;
    }
    Finding finding{faults::kSoftmaxScale,
                    fmt::format("Scores are q_rot . k_rot times {:.6g}; {:.6g} is expected.",
                                fitted->scale, expected),
                    "scores", fitted->scale, expected};
    if (expectation == nullptr && !is_mistake(fitted->scale, head_dim, allowed)) {
        finding.text = fmt::format(
            "Scores are q_rot . k_rot times {:.6g}, where 1 / sqrt(head_dim) is {:.6g}: some "
            "models "
            "have a factor of their own (query_pre_attn_scalar, attention_multiplier, YaRN's "
            "mscale); give --expect to compare.",
            fitted->scale, expected);
        finding.weight = Weight::note;
    }
    return finding;
}

}  // namespace ropescope::diagnosis
