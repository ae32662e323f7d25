// Fits one factor, and finds the arithmetic in which the scores were formed.
#include "core/diagnosis/scores/score_fit.h"

#include <algorithm>
#include <cmath>

namespace ropescope::diagnosis {
namespace {

constexpr double kFloat32Unit = 0x1p-24;
constexpr double kCoarsestUnit = 0x1p-8;  // of bfloat16

ScoreTolerance tolerance_of(Index channels, double unit_of_sum, const FloatFormat& scores) {
    return {(to_double(channels) + 5.0) * unit_of_sum, 3.0 * scores.unit, scores.smallest};
}

/// Holds terms of 16 bits, so that a factor can be told before the terms are.
ScoreTolerance coarse_tolerance(Index channels) {
    return {(to_double(channels) + 1.0) * kFloat32Unit + 4.0 * kCoarsestUnit, 3.0 * kCoarsestUnit,
            format_of(Dtype::f16).smallest};
}

Samples of_batch_row(const Samples& samples, Index b) {
    Samples some;
    std::ranges::copy_if(samples, std::back_inserter(some),
                         [b](const Sample& sample) { return sample.b == b; });
    return some;
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

/// Numbers that scores may be: a format, and the sums' own if the factor came behind them.
struct NumbersOfScores {
    FloatFormat format = {};
    ScoreGrid grid = {};
    bool hold_all = false;
};

/// The dtype's own, unless scores of a narrower one were saved in it. They were if all are numbers
/// of that; if only most are, both are tried, and a score that is none of its numbers is wrong.
std::vector<NumbersOfScores> possible_numbers(const Samples& samples, Dtype dtype,
                                              double expected) {
    std::vector<NumbersOfScores> all = {{format_of(dtype), {}, false}};
    for (const Dtype narrow : {Dtype::bf16, Dtype::f16, Dtype::f32}) {
        for (const double factor : {1.0, expected}) {
            const ScoreGrid grid{narrow, factor};
            const auto held = std::ranges::count_if(
                samples, [&](const Sample& s) { return grid.holds(s.score); });
            if (dtype_size(narrow) < dtype_size(dtype) && 2 * held > std::ssize(samples)) {
                all.push_back({format_of(narrow), grid, held == std::ssize(samples)});
                break;
            }
        }
    }
    return all;
}

bool has_16_bits(const DumpTensor& tensor) {
    return dtype_size(effective_format(tensor).dtype) == 2;
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

class Fitter {
  public:
    Fitter(const ScoreFactors& factors, const Sampler& sampler, Dtype dtype, double expected)
        : factors_(factors),
          sampler_(sampler),
          samples_(sampler_.samples({})),
          expected_(expected),
          dtype_(dtype) {}

    std::optional<ScoreFit> fit() {
        if (std::ranges::all_of(samples_, [](const Sample& s) { return s.product == 0.0; })) {
            return std::nullopt;
        }
        rough_factor_ = best_factor(samples_, expected_, factors_.q.batch, coarse_);
        rough_factor_ = refined(samples_);
        // What lies beyond all that 16 bits do is wrong in every arithmetic: the others tell which
        // one it is, in a small part of the time.
        const bool possible = explained(samples_, rough_factor_, coarse_).size() == samples_.size();
        return possible ? choose() : fit_by_possible();
    }

  private:
    /// The arithmetic that predicts most.
    std::optional<ScoreFit> choose() {
        const std::vector<NumbersOfScores> numbers = possible_numbers(samples_, dtype_, expected_);
        try_arithmetics(numbers);
        if (!explains_all()) {
            try_unknown_terms(numbers);
        }
        return best_;
    }

    Index channels() const { return factors_.q.channels; }
    /// No other arithmetic is needed then; one that predicts a few more may still be the true one.
    bool explains_all() const { return best_ && best_->share == 1.0 && best_->predicted > 0.9; }

    /// All samples, in the arithmetic of those that one may explain; of the dumped terms if none.
    std::optional<ScoreFit> fit_by_possible() {
        const Index heads = factors_.q.batch * factors_.q.heads;
        const Samples likely = of_explained_heads(samples_, rough_factor_, heads, coarse_);
        std::optional<ScoreFit> found;
        if (!likely.empty()) {
            Fitter among(factors_, sampler_.of(likely), dtype_, expected_);
            among.rough_factor_ = rough_factor_;
            found = among.choose();
        }
        const FloatFormat format = format_of(dtype_);
        ScoreFit fit = found.value_or(ScoreFit{
            .tolerance = tolerance_of(channels(), kFloat32Unit, format), .unit = format.unit});
        const Samples samples = fit.terms.as_dumped() ? samples_ : sampler_.samples(fit.terms);
        fit.factor = refined(samples);
        take(fit, samples);
        return best_;
    }

    double refined(const Samples& samples) const {
        const Index heads = factors_.q.batch * factors_.q.heads;
        const double median =
            median_ratio(of_explained_heads(samples, rough_factor_, heads, coarse_));
        return median != 0.0 && std::isfinite(median) ? median : rough_factor_;
    }

    void try_arithmetics(const std::vector<NumbersOfScores>& numbers) {
        const bool narrow = std::ranges::any_of(numbers, &NumbersOfScores::hold_all);
        for (const NumbersOfScores& each : numbers) {
            if (dtype_ == Dtype::f64 && each.grid.dtype == Dtype::f64) {  // and our own rounding
                try_terms({}, each, 2.0 * 0x1p-53);
            }
            for (const ScoreTerms& terms : usual_terms()) {
                const bool likely = each.hold_all || !narrow || terms.as_dumped();
                if (likely && !explains_all()) {
                    try_terms(terms, each, kFloat32Unit);
                }
            }
        }
    }

    void try_terms(ScoreTerms terms, const NumbersOfScores& numbers, double unit_of_sum) {
        // What is rounded behind a factor tells the factor only when that is known nearly.
        const bool usual = std::abs(rough_factor_ / expected_ - 1.0) < 2.0 * kCoarsestUnit;
        terms.factor = usual ? expected_ : rough_factor_;
        terms.of_kept_numbers = has_16_bits(factors_.q) && has_16_bits(factors_.k);
        const bool rounds_factor = terms.factor_on != ScoreTerms::FactorOn::scores;
        ScoreFit fit{.terms = terms, .unit = numbers.format.unit};
        fit.tolerance = tolerance_of(channels(), unit_of_sum, numbers.format);
        fit.tolerance.grid = numbers.grid;
        Samples samples = terms.as_dumped() ? samples_ : sampler_.samples(terms);
        fit.factor = refined(samples);
        if (rounds_factor && !usual) {
            fit.terms.factor = fit.factor;
            samples = sampler_.samples(fit.terms);
            fit.factor = refined(samples);
        }
        take(fit, samples);
    }

    /// Terms that were rounded when they were dumped.
    void try_unknown_terms(const std::vector<NumbersOfScores>& numbers) {
        double unit = 0.0;
        for (const DumpTensor* tensor : {&factors_.q, &factors_.k}) {
            unit = std::max(unit, has_16_bits(*tensor) ? effective_format(*tensor).unit : 0.0);
        }
        for (const NumbersOfScores& each : numbers) {
            ScoreFit fit{.unit = each.format.unit, .unit_of_terms = unit};
            const ScoreTolerance exact = tolerance_of(channels(), kFloat32Unit, each.format);
            fit.tolerance = exact;
            fit.tolerance.of_sizes += 4.0 * unit;
            fit.tolerance.grid = each.grid;
            fit.factor = refined(samples_);
            if (unit > 0.0 && (each.hold_all || each.grid.dtype == Dtype::f64) &&
                are_errors_of_terms(samples_, fit.factor, unit, exact)) {
                take(fit, samples_);
            }
        }
    }

    void take(ScoreFit fit, const Samples& samples) {
        const double median = fit.factor;
        const Samples alike = explained(samples, fit.factor, fit.tolerance);
        fit_squares(alike, fit);
        Samples kept = explained(samples, fit.factor, fit.tolerance);
        if (kept.size() < alike.size()) {
            fit.factor = median;
            kept = alike;
        }
        fit.samples = std::ssize(samples);
        fit.share = to_double(std::ssize(kept)) / to_double(fit.samples);
        // What lies beside a tie may be rounded to either side, which widens the tolerance: an
        // arithmetic is taken for what it predicts without that.
        const auto predicted = std::ranges::count_if(kept, [&](const Sample& s) {
            return fit.tolerance.allows(s.score, fit.factor, s.product, s.size, 0.0);
        });
        fit.predicted = to_double(predicted) / to_double(fit.samples);
        if (best_ && fit.predicted <= best_->predicted) {
            return;
        }
        if (fit.unit > kFloat32Unit) {
            const auto leans = leaning_products(kept, fit.factor, fit.tolerance);
            const auto most =
                std::ranges::max_element(leans, {}, [](const ScoreLean& lean) {  // heads first
                    return std::pair(lean.query < 0, std::abs(lean.share));
                });
            fit.lean = most == leans.end() ? std::nullopt : std::optional(*most);
        }
        best_ = fit;
    }

    const ScoreFactors& factors_;
    const Sampler sampler_;
    const Samples samples_;
    const double expected_;
    const Dtype dtype_;
    const ScoreTolerance coarse_ = coarse_tolerance(channels());
    double rough_factor_ = 0.0;
    std::optional<ScoreFit> best_;
};

}  // namespace

ScoreTolerance usual_tolerance(const ScoreFactors& factors, const DumpTensor& scores) {
    return tolerance_of(factors.q.channels, kFloat32Unit, format_of(scores.dtype));
}

std::optional<ScoreFit> fit_scores(const ScoreFactors& factors, const DumpTensor& scores,
                                   double expected) {
    return Fitter(factors, Sampler(factors, scores), scores.dtype, expected).fit();
}

}  // namespace ropescope::diagnosis
