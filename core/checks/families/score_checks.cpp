// What attention sees of the rotation: scores of a query at m and a key at n. Measured numbers are
// relative to |q| |k|, the largest score possible.
#include <cmath>
#include <fmt/format.h>

#include "core/checks/families/families.h"
#include "core/checks/rotator.h"
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

/// The vector rotated to every sweep position, each moved by `shift`.
Rows rotated_along_sweep(const Rotator& rotator, const Rope& rope, const Rows& vector,
                         std::int64_t shift) {
    std::vector<std::int64_t> positions(sweep_positions().begin(), sweep_positions().end());
    for (std::int64_t& position : positions) {
        position += shift;
    }
    return rotator.forward(rope, repeat_row(vector[0], positions.size()), positions);
}

// Bound: the errors of the four rotated vectors add up, and both dot products round. No position
// occurs in it: what inv_freq lacks, it lacks on both sides.
Finding shift_invariance(const CheckContext& context) {
    WorstCase worst(context.cases);
    const auto positions = sweep_positions();
    for (const Rope& rope : rope_sweep()) {
        const QueryAndKey x = random_query_and_key(rope.spec.head_dim);
        for (const Rotator& rotator : rotators(context)) {
            const Rows q = rotated_along_sweep(rotator, rope, x.q, 0);
            const Rows k = rotated_along_sweep(rotator, rope, x.k, 0);
            for (const std::int64_t shift : {1, -1048575}) {
                const Rows shifted_q = rotated_along_sweep(rotator, rope, x.q, shift);
                const Rows shifted_k = rotated_along_sweep(rotator, rope, x.k, shift);
                for (std::size_t i = 0; i < positions.size(); ++i) {
                    for (std::size_t j = 0; j < positions.size(); ++j) {
                        const std::int64_t m = positions[i];
                        const std::int64_t n = positions[j];
                        const double moved = dot(shifted_q[i], shifted_k[j]) - dot(q[i], k[j]);
                        worst.add(std::abs(moved) / x.scale,
                                  4 * rotation_error(rotator.precision) +
                                      2 * dot_error(rope.spec.head_dim),
                                  [&] {
                                      return fmt::format("{} shift={}", where(rotator, rope, m, n),
                                                         shift);
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
    for (const Rope& rope : rope_sweep()) {
        const QueryAndKey x = random_query_and_key(rope.spec.head_dim);
        for (const Rotator& rotator : rotators(context)) {
            const Rows q = rotated_along_sweep(rotator, rope, x.q, 0);
            const Rows k = rotated_along_sweep(rotator, rope, x.k, 0);
            for (std::size_t i = 0; i < positions.size(); ++i) {
                const std::int64_t m = positions[i];
                const Rows k_at_distance = rotated_along_sweep(rotator, rope, x.k, -m);
                for (std::size_t j = 0; j < positions.size(); ++j) {
                    const std::int64_t n = positions[j];
                    const double difference = dot(q[i], k[j]) - dot(x.q[0], k_at_distance[j]);
                    worst.add(
                        std::abs(difference) / x.scale,
                        3 * rotation_error(rotator.precision) + 2 * dot_error(rope.spec.head_dim),
                        [&] { return where(rotator, rope, m, n); });
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
    for (const Rope& rope : rope_sweep()) {
        const QueryAndKey x = random_query_and_key(rope.spec.head_dim);
        const std::vector<PairTerm> terms = pair_terms(rope.spec, x.q[0], x.k[0]);
        const double rest = pass_through_term(rope.spec, x.q[0], x.k[0]);
        for (const Rotator& rotator : rotators(context)) {
            const Rows q = rotated_along_sweep(rotator, rope, x.q, 0);
            const Rows k = rotated_along_sweep(rotator, rope, x.k, 0);
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
         .run = shift_invariance},
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

}  // namespace ropescope
