// What attention sees of the rotation: scores of a query at m and a key at n. Measured numbers are
// relative to |q| |k|, the largest score possible.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <iterator>

#include "core/analysis/turns.h"
#include "core/checks/families/families.h"
#include "core/checks/reference/error_model.h"
#include "core/checks/reference/long_double_reference.h"
#include "core/checks/sweep.h"
#include "core/checks/worst_case.h"
#include "core/rope/score.h"
#include "core/systems/source_text.h"

namespace ropescope {
namespace {

struct QueryAndKey {
    Rows q, k;
    double scale;  ///< |q| |k|
};

QueryAndKey random_query_and_key(Index head_dim) {
    Rows q = random_rows(1, head_dim, 11);
    Rows k = random_rows(1, head_dim, 12);
    const double scale = norm(q[0]) * norm(k[0]);
    return {std::move(q), std::move(k), scale};
}

std::string where(const Rotator& rotator, const Rope& rope, std::int64_t m, std::int64_t n) {
    return fmt::format("by={} {} m={} n={}", rotator.name, case_name(rope.spec), m, n);
}

/// The vector rotated to every sweep position, each moved by every shift.
class Moved {
  public:
    Moved(const Rotator& rotator, const Rope& rope, const Rows& vector,
          std::span<const std::int64_t> shifts) {
        std::vector<std::int64_t> positions;
        for (const std::int64_t shift : shifts) {
            for (const std::int64_t position : sweep_positions()) {
                positions.push_back(position + shift);
            }
        }
        rows_ = rotator.forward(rope, repeat_row(vector[0], positions.size()), positions);
    }

    std::span<const double> at(std::size_t shift, std::size_t position) const {
        return rows_[shift * sweep_positions().size() + position];
    }

  private:
    Rows rows_;
};

Rows rotated_along_sweep(const Rotator& rotator, const Rope& rope, const Rows& vector) {
    return rotator.forward(rope, repeat_row(vector[0], sweep_positions().size()),
                           sweep_positions());
}

// Bound: the errors of the four rotated vectors add up, and both dot products round. No position
// occurs in it: what inv_freq lacks, it lacks on both sides.
Finding score_shift_invariance(const CheckContext& context) {
    constexpr std::array<std::int64_t, 3> kShifts{0, 1, -1048575};
    WorstCase worst(context.cases);
    const auto positions = sweep_positions();
    for (const Rope& rope : rope_sweep(context.cases)) {
        const QueryAndKey x = random_query_and_key(rope.spec.head_dim);
        for (const Rotator& rotator : rotators(context)) {
            const Moved q(rotator, rope, x.q, kShifts);
            const Moved k(rotator, rope, x.k, kShifts);
            const double bound =
                4 * rotation_error(rotator.precision) + 2 * dot_error(rope.spec.head_dim);
            for (std::size_t s = 1; s < kShifts.size(); ++s) {
                for (std::size_t i = 0; i < positions.size(); ++i) {
                    for (std::size_t j = 0; j < positions.size(); ++j) {
                        const double moved =
                            dot(q.at(s, i), k.at(s, j)) - dot(q.at(0, i), k.at(0, j));
                        worst.add(std::abs(moved) / x.scale, bound, [&] {
                            return fmt::format("{} shift={}",
                                               where(rotator, rope, positions[i], positions[j]),
                                               kShifts[s]);
                        });
                    }
                }
            }
        }
    }
    return worst.finding(bound_text("4 sqrt(2) (e + 2 unit + 8 u) + 2 head_dim u"),
                         sweep_text() + ", shifts 1, -1048575");
}

// Bound: three rotated vectors and two dot products.
Finding relative_score(const CheckContext& context) {
    WorstCase worst(context.cases);
    const auto positions = sweep_positions();
    std::vector<std::int64_t> back;  // by m, which leaves n - m
    std::ranges::transform(positions, std::back_inserter(back), std::negate<>());
    for (const Rope& rope : rope_sweep(context.cases)) {
        const QueryAndKey x = random_query_and_key(rope.spec.head_dim);
        for (const Rotator& rotator : rotators(context)) {
            const Rows q = rotated_along_sweep(rotator, rope, x.q);
            const Rows k = rotated_along_sweep(rotator, rope, x.k);
            const Moved k_at_distance(rotator, rope, x.k, back);
            const double bound =
                3 * rotation_error(rotator.precision) + 2 * dot_error(rope.spec.head_dim);
            for (std::size_t i = 0; i < positions.size(); ++i) {
                for (std::size_t j = 0; j < positions.size(); ++j) {
                    const double difference = dot(q[i], k[j]) - dot(x.q[0], k_at_distance.at(i, j));
                    worst.add(std::abs(difference) / x.scale, bound,
                              [&] { return where(rotator, rope, positions[i], positions[j]); });
                }
            }
        }
    }
    return worst.finding(bound_text("3 sqrt(2) (e + 2 unit + 8 u) + 2 head_dim u"), sweep_text());
}

// Bound: two rotated vectors and their dot product on one side. On the other, per pair, cos_part
// and sin_part round twice each, their products with cos and sin once more, and the sum runs over
// head_dim terms; cos and sin carry matrix_error. sqrt(head_dim) is divided by and multiplied back.
Finding blockwise_expansion(const CheckContext& context) {
    WorstCase worst(context.cases);
    const auto positions = sweep_positions();
    for (const Rope& rope : rope_sweep(context.cases)) {
        const QueryAndKey x = random_query_and_key(rope.spec.head_dim);
        const std::vector<PairTerm> terms = pair_terms(rope.spec, x.q[0], x.k[0]);
        const double rest = pass_through_term(rope.spec, x.q[0], x.k[0]);
        for (const Rotator& rotator : rotators(context)) {
            const Rows q = rotated_along_sweep(rotator, rope, x.q);
            const Rows k = rotated_along_sweep(rotator, rope, x.k);
            for (std::size_t i = 0; i < positions.size(); ++i) {
                for (std::size_t j = 0; j < positions.size(); ++j) {
                    const std::int64_t m = positions[i];
                    const std::int64_t n = positions[j];
                    const double expanded =
                        score_logits(rope.spec, rope.spectrum, terms, rest, n - m) *
                        std::sqrt(to_double(rope.spec.head_dim));
                    worst.add(std::abs(dot(q[i], k[j]) - expanded) / x.scale,
                              2 * rotation_error(rotator.precision) +
                                  matrix_error(kDoublePrecision) +
                                  2 * dot_error(rope.spec.head_dim) + 8 * kUnitDouble,
                              [&] { return where(rotator, rope, m, n); });
                }
            }
        }
    }
    return worst.finding(
        bound_text("2 sqrt(2) (e + 2 unit + 8 u) + 10 sqrt(2) u + 2 (head_dim + 4) u"),
        sweep_text());
}

}  // namespace

std::vector<Check> score_checks() {
    return {
        {.id = "rope.shift_invariance",
         .title = "q_m.k_n = q_{m+s}.k_{n+s}",
         .source = "RoFormer, eq. 11",
         .statement = "Moving query and key by the same distance does not change their score.",
         .figure = "scores",
         .run = score_shift_invariance},
        {.id = "rope.relative_score",
         .title = "q_m.k_n = q^T R_{n-m} k",
         .source = "RoFormer, eq. 16",
         .statement = "A score depends on the positions through their distance only.",
         .figure = "scores",
         .run = relative_score},
        {.id = "rope.blockwise",
         .title = "scores as sums over pairs",
         .source = cite(kBlockwiseDerivation, "blockwise expansion"),
         .statement =
             "A score is the sum over pairs of q.k cos(delta theta) + q^T J k sin(delta theta).",
         .figure = "scores",
         .run = blockwise_expansion},
    };
}

// Checks of score and decay curves on every engine.

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
