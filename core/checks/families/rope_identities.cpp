#include "core/checks/families/rope_identities.h"

#include <cmath>
#include <fmt/format.h>

#include "core/checks/families.h"
#include "core/checks/reference/power_route.h"
#include "core/checks/worst_case.h"
#include "core/rope/routes.h"

namespace ropescope {
namespace {

std::string where(const Rotator& rotator, const Rope& rope, std::int64_t m) {
    return fmt::format("{}, {}, m = {}", rotator.name, describe(rope.spec), m);
}

/// One random row a sweep position.
Rows rows_for_positions(const Rope& rope, std::uint64_t seed) {
    return random_rows(sweep_positions().size(), rope.spec.head_dim, seed);
}

std::vector<MatrixSource> matrix_sources(const CheckContext& context) {
    std::vector<MatrixSource> sources{route_matrix("matrix route", rotation_matrix)};
    for (Engine* engine : context.engines) {
        sources.push_back(basis_matrix(engine_rotator(*engine)));
    }
    return sources;
}

// Bound: rigidity_error, since a wrong angle does not change a norm; the two norms are sums of
// head_dim squares, whose relative error head_dim u the root halves, and the division rounds.
Finding norm_preserved(const CheckContext& context) {
    WorstCase worst;
    for (const Rope& rope : rope_sweep()) {
        const Rows x = rows_for_positions(rope, 1);
        for (const Rotator& rotator : rotators(context)) {
            const Rows y = rotator.forward(rope, x, sweep_positions());
            const double bound =
                rigidity_error(rotator.precision) + (rope.spec.head_dim + 4) * kUnitDouble;
            for (std::size_t i = 0; i < y.count(); ++i) {
                worst.add(std::abs(norm(y[i]) / norm(x[i]) - 1.0), bound,
                          [&] { return where(rotator, rope, sweep_positions()[i]); });
            }
        }
    }
    return worst.finding(bound_text("sqrt(2) (e + 2 unit) + (head_dim + 4) u"), sweep_text());
}

// Bound: cos 0 = 1 and sin 0 = 0 are exact, and so are x * 1 and x - y * 0. Where they are products
// of others, cos still rounds to 1, and what is left of sin moves either channel by that times the
// other, and by as much again when that is rounded.
Finding identity_at_zero(const CheckContext& context) {
    WorstCase worst;
    const std::int64_t zero = 0;
    for (const Rope& rope : rope_sweep()) {
        const Rows x = random_rows(1, rope.spec.head_dim, 2);
        for (const Rotator& rotator : rotators(context)) {
            const Rows y = rotator.forward(rope, x, {&zero, 1});
            worst.add(distance(y[0], x[0]) / norm(x[0]), 2 * rotator.precision.chain,
                      [&] { return where(rotator, rope, zero); });
        }
    }
    return worst.finding("0: cos 0 = 1, sin 0 = 0; by angle addition 2^-44", sweep_text());
}

// Bound 0: channels from rotary_dim on are copied, not computed.
Finding pass_through(const CheckContext& context) {
    WorstCase worst;
    for (const Rope& rope : rope_sweep()) {
        if (rope.spec.rotary_dim == rope.spec.head_dim) {
            continue;
        }
        const Rows x = rows_for_positions(rope, 3);
        const auto kept = static_cast<std::size_t>(rope.spec.rotary_dim);
        for (const Rotator& rotator : rotators(context)) {
            const Rows y = rotator.forward(rope, x, sweep_positions());
            for (std::size_t i = 0; i < y.count(); ++i) {
                worst.add(distance(y[i].subspan(kept), x[i].subspan(kept)), 0.0,
                          [&] { return where(rotator, rope, sweep_positions()[i]); });
            }
        }
    }
    return worst.finding("exact: these channels are copied", sweep_text());
}

/// a and b from the sweep with a + b, or else a - b, within the supported range.
struct Compositions {
    std::vector<std::size_t> first;  ///< a, as an index into the sweep
    std::vector<std::int64_t> second, sum;
};
Compositions compositions() {
    Compositions all;
    const auto positions = sweep_positions();
    for (std::size_t i = 0; i < positions.size(); ++i) {
        for (const std::int64_t b : positions.subspan(i)) {
            const std::int64_t step = positions[i] + b <= kMaxPosition ? b : -b;
            all.first.push_back(i);
            all.second.push_back(step);
            all.sum.push_back(positions[i] + step);
        }
    }
    return all;
}

// Bound: rotations do not amplify, so the errors of the three rotations add up.
Finding composition(const CheckContext& context) {
    WorstCase worst;
    const Compositions steps = compositions();
    for (const Rope& rope : rope_sweep()) {
        const Rows x = random_rows(1, rope.spec.head_dim, 4);
        const Rows start = repeat_row(x[0], steps.sum.size());
        const Rows along_sweep = repeat_row(x[0], sweep_positions().size());
        for (const Rotator& rotator : rotators(context)) {
            const Rows first = rotator.forward(rope, along_sweep, sweep_positions());
            Rows half_way{rope.spec.head_dim, {}};
            for (const std::size_t a : steps.first) {
                half_way.values.insert(half_way.values.end(), first[a].begin(), first[a].end());
            }
            const Rows twice = rotator.forward(rope, half_way, steps.second);
            const Rows once = rotator.forward(rope, start, steps.sum);
            for (std::size_t i = 0; i < once.count(); ++i) {
                worst.add(distance(once[i], twice[i]) / norm(x[0]),
                          3 * rotation_error(rotator.precision), [&] {
                              return fmt::format(
                                  "{}, b = {}",
                                  where(rotator, rope, sweep_positions()[steps.first[i]]),
                                  steps.second[i]);
                          });
            }
        }
    }
    return worst.finding(bound_text("3 sqrt(2) (e + 2 unit + 8 u)"), sweep_text());
}

// Bound: both directions use the same cos and sin (cos is even, sin odd, rounding symmetric), so
// the angle's error cancels and twice the rigidity error is left.
Finding inverse(const CheckContext& context) {
    WorstCase worst;
    for (const Rope& rope : rope_sweep()) {
        const Rows x = rows_for_positions(rope, 5);
        for (const Rotator& rotator : rotators(context)) {
            const Rows there = rotator.forward(rope, x, sweep_positions());
            const Rows back = rotator.rotate(rope, there, sweep_positions(), Direction::inverse);
            for (std::size_t i = 0; i < back.count(); ++i) {
                worst.add(distance(back[i], x[i]) / norm(x[i]),
                          2 * rigidity_error(rotator.precision),
                          [&] { return where(rotator, rope, sweep_positions()[i]); });
            }
        }
    }
    return worst.finding(bound_text("2 sqrt(2) (e + 2 unit); the angle's error cancels"),
                         sweep_text());
}

}  // namespace

// Bound: each of the two is within its own error of the exact result.
Finding routes_agree(std::span<const Rotator> rotators) {
    WorstCase worst;
    const Rotator& reference = rotators.front();
    for (const Rope& rope : rope_sweep()) {
        const Rows x = rows_for_positions(rope, 6);
        const Rows expected = reference.forward(rope, x, sweep_positions());
        for (const Rotator& rotator : rotators.subspan(1)) {
            const Rows y = rotator.forward(rope, x, sweep_positions());
            for (std::size_t i = 0; i < y.count(); ++i) {
                const std::int64_t m = sweep_positions()[i];
                worst.add(distance(y[i], expected[i]) / norm(x[i]),
                          rotator.error_at(m) + reference.error_at(m),
                          [&] { return where(rotator, rope, m) + ", against " + reference.name; });
            }
        }
    }
    return worst.finding(
        bound_text("2 sqrt(2) (e + 2 unit + 8 u), and 4.24 m 2^-64 for powers to m"), sweep_text());
}

std::vector<Check> rope_identities() {
    return {
        {"rope.orthogonality", "R^T R = I", "RoFormer, section 3.2.2, eq. 15",
         "The rotary matrix is orthogonal at every position.", "rotation",
         [](const CheckContext& c) { return matrices_orthogonal(matrix_sources(c)); }},
        {"rope.relative", "R_m^T R_n = R_{n-m}", "RoFormer, section 3.2.2, eq. 16",
         "The product of two rotary matrices depends on the distance of the positions only.",
         "rotation", [](const CheckContext& c) { return matrices_relative(matrix_sources(c)); }},
        {"rope.routes_agree", "complex, matrix and element-wise agree",
         "RoFormer, eqs. 12, 15 and 34",
         "Complex multiplication, the block-diagonal matrix and the element-wise form are the same "
         "map, and the same as powers of e^{i theta}, which share no angle with them.",
         "rotation",
         [](const CheckContext&) {
             return routes_agree(std::vector{complex_rotator(), matrix_rotator(),
                                             elements_rotator(), power_rotator()});
         }},
        {"rope.norm", "|R_m x| = |x|", "RoFormer, section 3.2.2, eq. 15",
         "Rotation keeps the length of every query and key.", "rotation", norm_preserved},
        {"rope.identity_at_zero", "R_0 x = x", "RoFormer, section 3.2.1",
         "Position 0 leaves every vector as it is.", "rotation query_position=0 key_position=0",
         identity_at_zero},
        {"rope.pass_through", "partial rotary copies the rest", "GPT-NeoX, rotary_pct",
         "Channels from rotary_dim on do not change.", "layouts head_dim=16 rotary_dim=8",
         pass_through},
        {"rope.composition", "R_a R_b = R_{a+b}", "RoFormer, section 3.2.2, eq. 16",
         "Rotating twice is rotating by the sum: a cache may be shifted.", "rotation", composition},
        {"rope.inverse", "R_m^-1 R_m x = x", "RoFormer, section 3.2.2, eq. 15",
         "The transposed rotation undoes the rotation.", "rotation", inverse},
    };
}

}  // namespace ropescope
