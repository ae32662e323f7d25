// Fits one factor, and finds the arithmetic in which the scores were formed.
#include "core/diagnosis/score_fit.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/diagnosis/rounding.h"

namespace ropescope::diagnosis {
namespace {

/// A score that says something about the factor.
struct Sample {
    double score = 0.0, product = 0.0, size = 0.0;
    Index b = 0, head = 0;  ///< head: of all heads of all batch rows
};
using Samples = std::vector<Sample>;

double without_cap(double score, double cap) {
    return cap > 0.0 ? cap * std::atanh(score / cap) : score;
}

/// Queries of every head of every batch row, the last ones first, because a causal mask leaves
/// those the most keys; and keys at even steps.
Samples samples_of(const ScoreFactors& factors, const DumpTensor& scores) {
    const DumpTensor &q = factors.q, &k = factors.k;
    constexpr Index kQueries = 512, kSamples = 65536;
    const Index heads = q.batch * q.heads;
    const Index queries = std::clamp<Index>(kQueries / heads, 1, q.length);
    const Index keys = std::min(k.length, std::clamp<Index>(kSamples / (heads * queries), 8, 128));
    std::vector<double> query(q.channels), key(k.channels), row(scores.channels);
    Samples samples;
    const auto add = [&](Index b, Index h, Index n) {
        k.read(b, factors.key_head(h), n, key);
        Sample sample{.score = without_cap(row[n], factors.cap), .b = b, .head = b * q.heads + h};
        double queries_squared = 0.0, keys_squared = 0.0;
        for (std::size_t c = 0; c < key.size(); ++c) {
            sample.product += query[c] * key[c];
            queries_squared += query[c] * query[c];
            keys_squared += key[c] * key[c];
        }
        sample.size = std::sqrt(queries_squared) * std::sqrt(keys_squared);
        if (std::isfinite(sample.score) && sample.score > kLargestMask && sample.size > 0.0) {
            samples.push_back(sample);
        }
    };
    for (Index b = 0; b < q.batch; ++b) {
        for (Index h = 0; h < q.heads; ++h) {
            for (Index i = 0; i < queries; ++i) {
                const Index l = q.length - 1 - i * q.length / queries;
                q.read(b, h, l, query);
                scores.read(b, h, l, row);
                for (Index n = 0; n < keys; ++n) {
                    add(b, h, n * k.length / keys);
                }
            }
        }
    }
    return samples;
}

/// The factor that leaves the least sum of |score - factor product|: the median of the ratios,
/// weighted by the products. Up to half of the samples may be anything. 0 without samples.
double median_ratio(const Samples& samples) {
    std::vector<std::pair<double, double>> ratios;
    double all = 0.0;
    for (const Sample& sample : samples) {
        if (sample.product != 0.0) {
            ratios.emplace_back(sample.score / sample.product, std::abs(sample.product));
            all += std::abs(sample.product);
        }
    }
    std::ranges::sort(ratios);
    double below = 0.0;
    for (const auto& [ratio, weight] : ratios) {
        below += weight;
        if (2.0 * below >= all) {
            return ratio;
        }
    }
    return 0.0;
}

Samples explained(const Samples& samples, double factor, const ScoreTolerance& tolerance) {
    Samples some;
    std::ranges::copy_if(samples, std::back_inserter(some), [&](const Sample& sample) {
        return std::abs(sample.score - factor * sample.product) <=
               tolerance.at(factor, sample.product, sample.size);
    });
    return some;
}

Samples of_batch_row(const Samples& samples, Index b) {
    Samples some;
    std::ranges::copy_if(samples, std::back_inserter(some),
                         [b](const Sample& sample) { return sample.b == b; });
    return some;
}

/// Units of the sum and of what goes into it.
struct Arithmetic {
    double sum = 0x1p-24, in = 0x1p-24;

    ScoreTolerance tolerance(Index channels, const FloatFormat& scores) const {
        return {(to_double(channels) + 1.0) * sum + 4.0 * in, 3.0 * scores.unit, scores.smallest};
    }
    /// What rounding errors usually leave, as a share of |q| |k|: those of a sum grow like the
    /// root of its length at most, and those of its terms, which are independent, cancel.
    double usual_error(Index channels) const {
        const double root = std::sqrt(to_double(channels));
        return sum * root + 2.0 * in / root;
    }
};

/// From the most exact on. Products of float64 have the rounding of our own beside theirs. TF32
/// keeps as many bits as float16.
std::vector<Arithmetic> arithmetics_for(const FloatFormat& scores) {
    std::vector<Arithmetic> all;
    if (scores.dtype == Dtype::f64) {
        all.push_back({2.0 * 0x1p-53, 0x1p-53});
    }
    for (const Dtype in : {Dtype::f32, Dtype::f16, Dtype::bf16}) {
        all.push_back({0x1p-24, format_of(in).unit});
    }
    return all;
}

/// The format that nine of ten scores belong to: narrower than the dtype if scores in bf16 were
/// saved as F32.
FloatFormat format_of_most(const Samples& samples, Dtype dtype) {
    for (const Dtype narrow : {Dtype::bf16, Dtype::f16, Dtype::f32}) {
        const auto belongs = [&](const Sample& s) { return round_to(narrow, s.score) == s.score; };
        if (dtype_size(narrow) < dtype_size(dtype) &&
            10 * std::ranges::count_if(samples, belongs) >= 9 * std::ssize(samples)) {
            return format_of(narrow);
        }
    }
    return format_of(dtype);
}

/// The factor that explains most, even where most scores of most batch rows are anything.
double best_factor(const Samples& samples, double expected, Index batch,
                   const ScoreTolerance& coarse) {
    double best = expected;
    std::size_t most = explained(samples, expected, coarse).size();
    const auto try_factor = [&](double factor) {
        const std::size_t count = explained(samples, factor, coarse).size();
        if (factor != 0.0 && std::isfinite(factor) && count > most) {
            best = factor;
            most = count;
        }
    };
    const Index rows = std::min<Index>(batch, 16);
    for (Index i = 0; i < rows; ++i) {
        try_factor(median_ratio(of_batch_row(samples, i * batch / rows)));
    }
    return best;
}

/// Those of heads of which the factor explains most: what it explains of others may be chance.
Samples of_explained_heads(const Samples& samples, double factor, Index heads,
                           const ScoreTolerance& coarse) {
    const Samples alike = explained(samples, factor, coarse);
    std::vector<Index> all(heads), some(heads);
    for (const Sample& sample : samples) {
        ++all[sample.head];
    }
    for (const Sample& sample : alike) {
        ++some[sample.head];
    }
    Samples kept;
    std::ranges::copy_if(alike, std::back_inserter(kept), [&](const Sample& sample) {
        return 4 * some[sample.head] >= 3 * all[sample.head];
    });
    return kept.empty() ? alike : kept;
}

/// What scores are made of: sums of as many products of q and k in a format, and their own format.
struct ScoreNumbers {
    Index channels = 0;
    double dumped_unit = 0.0;  ///< of the finer of q and k
    FloatFormat format = {};
};

Index beyond_usual(const Samples& samples, double factor, const ScoreTolerance& usual) {
    return std::ssize(samples) - std::ssize(explained(samples, factor, usual));
}

/// Whether terms in this arithmetic leave such errors. Bounds alone do not tell: that of a long sum
/// in float32 holds what TF32 usually leaves. One of twenty, or of four, may be beyond, so that
/// wrong scores do not make all look coarser. Scores in 16 bits hide most of the errors of terms
/// that have as many: that those were the dumped numbers, which have as many, must show in many
/// scores, of which hardly one is beyond two roundings, as a sum and times the factor.
bool leaves_such_errors(const Arithmetic& arithmetic, const Samples& samples, double factor,
                        const ScoreNumbers& of) {
    const auto count = std::ssize(samples);
    const double usual = arithmetic.usual_error(of.channels);
    const double unit = of.format.unit, least = of.format.smallest;
    if (arithmetic.in < unit) {
        return of.dumped_unit >= unit && count >= 2000 &&
               beyond_usual(samples, factor, {usual, 2.1 * unit, least}) <= 1 + count / 20000;
    }
    return beyond_usual(samples, factor, {usual, 1.5 * unit, least}) <=
           std::max<Index>(count < 4 ? 0 : 1, count / 20);
}

/// The most exact that leaves such errors.
Arithmetic arithmetic_of(const Samples& samples, double factor, const ScoreNumbers& of) {
    const std::vector<Arithmetic> all = arithmetics_for(of.format);
    const auto found = std::ranges::find_if(
        all, [&](const Arithmetic& each) { return leaves_such_errors(each, samples, factor, of); });
    return found == all.end() ? all.back() : *found;
}

/// Sets the factor of least squares and its error.
void fit_squares(const Samples& samples, ScoreFit& fit) {
    double sum = 0.0, squares = 0.0, left = 0.0;
    for (const Sample& sample : samples) {
        sum += sample.score * sample.product;
        squares += sample.product * sample.product;
    }
    if (!(squares > 0.0) || sum == 0.0) {
        return;
    }
    fit.factor = sum / squares;
    for (const Sample& sample : samples) {
        left += std::pow(sample.score - fit.factor * sample.product, 2.0);
    }
    fit.factor_error =
        std::sqrt(left / to_double(std::ssize(samples)) / squares) / std::abs(fit.factor);
}

}  // namespace

ScoreTolerance usual_tolerance(const ScoreFactors& factors, const DumpTensor& scores) {
    return Arithmetic{}.tolerance(factors.q.channels, format_of(scores.dtype));
}

std::optional<ScoreFit> fit_scores(const ScoreFactors& factors, const DumpTensor& scores,
                                   double expected) {
    const Samples samples = samples_of(factors, scores);
    const Index channels = factors.q.channels;
    if (std::ranges::all_of(samples, [](const Sample& s) { return s.product == 0.0; })) {
        return std::nullopt;
    }
    const FloatFormat format = format_of_most(samples, scores.dtype);
    const double dumped_unit =
        std::min(effective_format(factors.q).unit, effective_format(factors.k).unit);
    const ScoreTolerance coarse = arithmetics_for(format).back().tolerance(channels, format);
    const Index heads = factors.q.batch * factors.q.heads;
    ScoreFit fit{.factor = best_factor(samples, expected, factors.q.batch, coarse),
                 .samples = std::ssize(samples),
                 .unit = format.unit};
    const double median = median_ratio(of_explained_heads(samples, fit.factor, heads, coarse));
    fit.factor = median != 0.0 && std::isfinite(median) ? median : fit.factor;
    const Samples alike = of_explained_heads(samples, fit.factor, heads, coarse);
    const Arithmetic arithmetic = arithmetic_of(alike, fit.factor, {channels, dumped_unit, format});
    fit.tolerance = arithmetic.tolerance(channels, format);
    fit.unit_of_terms = arithmetic.in;
    fit_squares(explained(alike, fit.factor, fit.tolerance), fit);
    const auto exact = std::ssize(explained(samples, fit.factor, fit.tolerance));
    fit.share = to_double(exact) / to_double(std::ssize(samples));
    return fit;
}

}  // namespace ropescope::diagnosis
