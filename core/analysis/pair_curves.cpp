// Sums weighted cosines and sines over the pairs, at many distances.
#include "core/analysis/pair_curves.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/analysis/turns.h"

namespace ropescope {
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
