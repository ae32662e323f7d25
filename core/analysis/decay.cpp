// Computes RoFormer's decay bound and the cosine sum, and finds where a curve rises.
#include "core/analysis/decay.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/analysis/turns.h"

namespace ropescope {
namespace {

/// The weights of a pair if q and k are the same unit vector.
struct Ones {
    std::vector<double> values;
    explicit Ones(const Spectrum& spectrum) : values(spectrum.inv_freq_rad.size(), 1.0) {}
    PairWeights weights() const { return {values, values}; }
};

}  // namespace

DecayCurves decay_of(PairCurves curves, Index pairs) {
    for (double& moduli : curves.moduli) {
        moduli /= to_double(pairs);
    }
    return {std::move(curves.moduli), std::move(curves.even)};
}

DecayPoint decay_at(const Spectrum& spectrum, Index distance) {
    const DecayCurves curves = decay_curves(spectrum, std::span(&distance, 1));
    return {curves.upper_bound.front(), curves.cosine_sum.front()};
}

DecayCurves decay_curves(const Spectrum& spectrum, std::span<const Index> distances) {
    return decay_of(pair_curves(spectrum, distances, Ones(spectrum).weights()), spectrum.pairs());
}

DecayCurves decay_run(const Spectrum& spectrum, Index first, Index count) {
    return decay_of(pair_curves_run(spectrum, first, count, Ones(spectrum).weights()),
                    spectrum.pairs());
}

double Rises::share() const {
    return steps == 0 ? 0.0 : to_double(rising) / to_double(steps);
}

Rises find_rises(std::span<const double> curve, double tolerance) {
    Rises rises;
    if (curve.empty()) {
        return rises;
    }
    rises.lowest = curve.front();
    for (Index i = 1; i < std::ssize(curve); ++i) {
        ++rises.steps;
        if (curve[i] > curve[i - 1] + tolerance) {
            ++rises.rising;
            rises.first = rises.first < 0 ? i - 1 : rises.first;
        }
        if (curve[i] - rises.lowest > rises.highest_regain + tolerance) {
            rises.highest_regain = curve[i] - rises.lowest;
            rises.regained_at = i;
        }
        if (curve[i] < rises.lowest - tolerance) {
            rises.lowest = curve[i];
            rises.lowest_at = i;
        }
    }
    return rises;
}

double decay_error(const Spectrum& spectrum) {
    const double pairs = to_double(spectrum.pairs());
    const PairCurvesError error = pair_curves_error(Ones(spectrum).weights());
    return std::max(error.component, error.moduli / pairs + pairs * 0x1p-53);
}

double decay_tolerance(const Spectrum& spectrum) {
    return 2 * decay_error(spectrum);
}

Index first_below_zero(std::span<const double> curve) {
    const auto found = std::ranges::find_if(curve, [](double value) { return value < 0; });
    return found == curve.end() ? -1 : found - curve.begin();
}

// Sums weighted cosines and sines over the pairs, at many distances.

namespace {

void append(PairCurves& curves, std::span<const double> cos, std::span<const double> sin,
            const PairWeights& weights) {
    double even = 0, odd = 0, moduli = 0;
    for (std::size_t i = 0; i < cos.size(); ++i) {
        even += weights.cos[i] * cos[i];
        odd += weights.sin[i] * sin[i];
        moduli += std::sqrt(even * even + odd * odd);
    }
    curves.even.push_back(even);
    curves.odd.push_back(odd);
    curves.moduli.push_back(moduli);
}

}  // namespace

PairCurves pair_curves(const Spectrum& spectrum, std::span<const Index> distances,
                       const PairWeights& weights) {
    PairCurves curves;
    Turn turn;
    for (const Index distance : distances) {
        fill_turn(spectrum, distance, turn);
        append(curves, turn.cos, turn.sin, weights);
    }
    return curves;
}

PairCurves pair_curves_run(const Spectrum& spectrum, Index first, Index count,
                           const PairWeights& weights) {
    PairCurves curves;
    walk_turns(spectrum, first, count,
               [&](Index, std::span<const double> cos, std::span<const double> sin) {
                   append(curves, cos, sin, weights);
               });
    return curves;
}

PairCurvesError pair_curves_error(const PairWeights& weights) {
    constexpr double kUnit = 0x1p-53;
    const double pairs = to_double(std::ssize(weights.cos));
    double most = 0;
    for (std::size_t i = 0; i < weights.cos.size(); ++i) {
        most += std::max(std::abs(weights.cos[i]), std::abs(weights.sin[i]));
    }
    const double component = (27 + pairs) * most * kUnit;
    return {component, pairs * std::numbers::sqrt2 * (component + (8 + pairs) * most * kUnit)};
}

}  // namespace ropescope
