// Checks of score and decay curves on every engine.
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "core/analysis/turns.h"
#include "core/checks/families/families.h"
#include "core/checks/reference/error_model.h"
#include "core/checks/reference/long_double_reference.h"
#include "core/checks/sweep.h"
#include "core/checks/worst_case.h"

namespace ropescope {
namespace {

/// No run, across the ends of blocks, below zero, and up to the last position.
constexpr std::array<std::int64_t, 11> kCurveDistances = {
    0, 1, -1, 17, 255, 256, 257, 4096, 131071, kMaxPosition, -kMaxPosition};

struct CurveWeights {
    Rows values;
    PairWeights view() const { return {values[0], values[1]}; }
};

CurveWeights random_weights_of(const Rope& rope) {
    return {random_rows(2, rope.spec.pairs(), 91)};
}

struct LongPoint {
    long double even = 0, odd = 0, moduli = 0;
};

LongPoint long_double_point(const RopeSpec& spec, const PairWeights& weights,
                            std::int64_t distance) {
    LongPoint point;
    for (Index pair = 0; pair < spec.pairs(); ++pair) {
        const long double angle =
            reference_reduced(static_cast<long double>(distance) *
                              reference_inv_freq(spec.base, spec.rotary_dim, pair));
        point.even += static_cast<long double>(weights.cos[pair]) * std::cos(angle);
        point.odd += static_cast<long double>(weights.sin[pair]) * std::sin(angle);
        point.moduli += std::hypot(point.even, point.odd);
    }
    return point;
}

/// What pair_curves_error() says, and inv_freq's own rounding, which turns every angle.
PairCurvesError bound_at(const Rope& rope, const PairWeights& weights, std::int64_t distance) {
    PairCurvesError error = pair_curves_error(weights);
    double turned = 0;
    for (std::size_t i = 0; i < weights.cos.size(); ++i) {
        turned += std::max(std::abs(weights.cos[i]), std::abs(weights.sin[i])) *
                  frequency_error_rad(distance);
    }
    error.component += turned;
    error.moduli += kSqrt2Up * to_double(rope.spec.pairs()) * turned;
    return error;
}

std::string where(const Engine& engine, const Rope& rope, std::int64_t distance) {
    return fmt::format("by={} {} distance={}", engine.name(), case_name(rope.spec), distance);
}

void compare(WorstCase& worst, Engine& engine, const Rope& rope, std::span<const Index> distances) {
    const CurveWeights own = random_weights_of(rope);
    const PairWeights weights = own.view();
    const PairCurves curves = engine.pair_curves(rope.spectrum, distances, weights);
    for (std::size_t i = 0; i < distances.size(); ++i) {
        const LongPoint exact = long_double_point(rope.spec, weights, distances[i]);
        const PairCurvesError bound = bound_at(rope, weights, distances[i]);
        const auto add = [&](double value, long double expected, double most) {
            worst.add(std::abs(static_cast<double>(static_cast<long double>(value) - expected)),
                      most, [&] { return where(engine, rope, distances[i]); });
        };
        add(curves.even.at(i), exact.even, bound.component);
        add(curves.odd.at(i), exact.odd, bound.component);
        add(curves.moduli.at(i), exact.moduli, bound.moduli);
    }
}

}  // namespace

Finding engine_curves(const CheckContext& context) {
    WorstCase worst(context.cases);
    for (Engine* engine : context.engines) {
        for (const Rope& rope : spectrum_sweep(context.cases)) {
            compare(worst, *engine, rope, kCurveDistances);
        }
        // Enough distances for several threads and blocks: in a run, and with gaps.
        const RopeSpec spec{16, 16, 1e4, Layout::half_split};
        const Rope rope{spec, make_spectrum(spec)};
        for (const Index step : {1, 3}) {
            std::vector<Index> distances;
            for (Index i = 0; i < 2 * kTurnBlock + 37; ++i) {
                distances.push_back(step * i - 100);
            }
            compare(worst, *engine, rope, distances);
        }
    }
    return worst.finding(
        "(27 + P) W u and 1.01 |distance| W u; of sum |z_j| P sqrt(2) (35 + 2 P) W u",
        "all spectra of the sweep, distances -1048576..1048576, one by one, in runs and with gaps");
}

Finding curves_agree(const CheckContext& context) {
    if (context.engines.size() < 2) {
        return skipped("one engine only; `check --engine all` compares them");
    }
    WorstCase worst(context.cases);
    for (const Rope& rope : spectrum_sweep(context.cases)) {
        const CurveWeights weights = random_weights_of(rope);
        const PairCurvesError error = pair_curves_error(weights.view());
        const PairCurves first =
            context.engines[0]->pair_curves(rope.spectrum, kCurveDistances, weights.view());
        const PairCurves second =
            context.engines[1]->pair_curves(rope.spectrum, kCurveDistances, weights.view());
        for (std::size_t i = 0; i < kCurveDistances.size(); ++i) {
            const auto add = [&](double a, double b, double bound) {
                worst.add(std::abs(a - b), 2 * bound,
                          [&] { return where(*context.engines[1], rope, kCurveDistances[i]); });
            };
            add(first.even.at(i), second.even.at(i), error.component);
            add(first.odd.at(i), second.odd.at(i), error.component);
            add(first.moduli.at(i), second.moduli.at(i), error.moduli);
        }
    }
    return worst.finding("twice (27 + P) W u; of sum |z_j| twice P sqrt(2) (35 + 2 P) W u",
                         "all spectra of the sweep, distances -1048576..1048576");
}

}  // namespace ropescope
