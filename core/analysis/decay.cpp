#include "core/analysis/decay.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/turns.h"

namespace ropescope {
namespace {

DecayPoint point_of(std::span<const double> cos, std::span<const double> sin) {
    double re = 0, im = 0, moduli = 0;
    for (std::size_t i = 0; i < cos.size(); ++i) {
        re += cos[i];
        im += sin[i];
        moduli += std::sqrt(re * re + im * im);
    }
    return {moduli / static_cast<double>(cos.size()), re};
}

void append(DecayCurves& curves, const DecayPoint& point) {
    curves.upper_bound.push_back(point.upper_bound);
    curves.cosine_sum.push_back(point.cosine_sum);
}

}  // namespace

DecayPoint decay_at(const Spectrum& spectrum, std::int64_t distance) {
    const Turn turn = make_turn(spectrum, distance);
    return point_of(turn.cos, turn.sin);
}

DecayCurves decay_curves(const Spectrum& spectrum, std::span<const std::int64_t> distances) {
    DecayCurves curves;
    Turn turn;
    for (const std::int64_t distance : distances) {
        fill_turn(spectrum, distance, turn);
        append(curves, point_of(turn.cos, turn.sin));
    }
    return curves;
}

DecayCurves decay_run(const Spectrum& spectrum, std::int64_t first, std::int64_t count) {
    DecayCurves curves;
    walk_turns(spectrum, first, count,
               [&](std::int64_t, std::span<const double> cos, std::span<const double> sin) {
                   append(curves, point_of(cos, sin));
               });
    return curves;
}

double Rises::share() const {
    return steps == 0 ? 0.0 : static_cast<double>(rising) / static_cast<double>(steps);
}

Rises find_rises(std::span<const double> curve, double tolerance) {
    Rises rises;
    if (curve.empty()) {
        return rises;
    }
    rises.lowest = curve.front();
    for (std::size_t i = 1; i < curve.size(); ++i) {
        const auto index = static_cast<std::int64_t>(i);
        ++rises.steps;
        if (curve[i] > curve[i - 1] + tolerance) {
            ++rises.rising;
            rises.first = rises.first < 0 ? index - 1 : rises.first;
        }
        if (curve[i] - rises.lowest > rises.highest_regain + tolerance) {
            rises.highest_regain = curve[i] - rises.lowest;
            rises.regained_at = index;
        }
        if (curve[i] < rises.lowest) {
            rises.lowest = curve[i];
            rises.lowest_at = index;
        }
    }
    return rises;
}

double decay_tolerance(const Spectrum& spectrum) {
    return 80 * 0x1p-53 * spectrum.pairs();
}

std::int64_t first_below_zero(std::span<const double> curve) {
    const auto found = std::ranges::find_if(curve, [](double value) { return value < 0; });
    return found == curve.end() ? -1 : found - curve.begin();
}

}  // namespace ropescope
