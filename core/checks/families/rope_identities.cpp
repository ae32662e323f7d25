// Checks of the identities that define a rotation, on every route and engine.
#include "core/checks/families/rope_identities.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

#include "core/checks/families/families.h"
#include "core/checks/reference/long_double_reference.h"
#include "core/checks/worst_case.h"
#include "core/rope/routes.h"

namespace ropescope {
namespace {

/// One random row a sweep position.
HeadRows rows_for_positions(const Rope& rope, std::uint64_t seed) {
    return random_rows(sweep_positions().size(), rope.spec.head_dim, seed);
}

std::vector<MatrixSource> matrix_sources(const CheckContext& context) {
    std::vector<MatrixSource> sources{route_matrix("matrix", rotation_matrix)};
    for (Engine* engine : context.engines) {
        sources.push_back(basis_matrix(engine_rotator(*engine)));
    }
    std::erase_if(sources, [&](const MatrixSource& source) {
        return !context.cases.may_contain("by=" + source.name);
    });
    return sources;
}

// Bound: rigidity_error, since a wrong angle does not change a norm; the two norms are sums of
// head_dim squares, whose relative error head_dim u the root halves, and the division rounds.
CheckFinding norm_preserved(const CheckContext& context) {
    WorstCase worst(context.cases);
    for (const Rope& rope : rope_sweep(context.cases)) {
        const HeadRows x = rows_for_positions(rope, 1);
        for (const Rotator& rotator : rotators(context)) {
            const HeadRows y = rotator.forward(rope, x, sweep_positions());
            const double bound =
                rigidity_error(rotator.precision) + to_double(rope.spec.head_dim + 4) * kUnitDouble;
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
CheckFinding identity_at_zero(const CheckContext& context) {
    WorstCase worst(context.cases);
    const std::int64_t zero = 0;
    for (const Rope& rope : rope_sweep(context.cases)) {
        const HeadRows x = random_rows(1, rope.spec.head_dim, 2);
        for (const Rotator& rotator : rotators(context)) {
            const HeadRows y = rotator.forward(rope, x, {&zero, 1});
            worst.add(distance(y[0], x[0]) / norm(x[0]), 2 * rotator.precision.chain,
                      [&] { return where(rotator, rope, zero); });
        }
    }
    return worst.finding("0: cos 0 = 1, sin 0 = 0; by angle addition 2^-44", sweep_text());
}

// Bound 0: channels from rotary_dim on are copied, not computed.
CheckFinding pass_through(const CheckContext& context) {
    WorstCase worst(context.cases);
    for (const Rope& rope : rope_sweep(context.cases)) {
        if (rope.spec.rotary_dim == rope.spec.head_dim) {
            continue;
        }
        const HeadRows x = rows_for_positions(rope, 3);
        const Index kept = rope.spec.rotary_dim;
        for (const Rotator& rotator : rotators(context)) {
            const HeadRows y = rotator.forward(rope, x, sweep_positions());
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
CheckFinding composition(const CheckContext& context) {
    WorstCase worst(context.cases);
    const Compositions steps = compositions();
    for (const Rope& rope : rope_sweep(context.cases)) {
        const HeadRows x = random_rows(1, rope.spec.head_dim, 4);
        const HeadRows start = repeat_row(x[0], steps.sum.size());
        const HeadRows along_sweep = repeat_row(x[0], sweep_positions().size());
        for (const Rotator& rotator : rotators(context)) {
            const HeadRows first = rotator.forward(rope, along_sweep, sweep_positions());
            HeadRows half_way{rope.spec.head_dim, {}};
            for (const std::size_t a : steps.first) {
                half_way.values.insert(half_way.values.end(), first[a].begin(), first[a].end());
            }
            const HeadRows twice = rotator.forward(rope, half_way, steps.second);
            const HeadRows once = rotator.forward(rope, start, steps.sum);
            for (std::size_t i = 0; i < once.count(); ++i) {
                worst.add(distance(once[i], twice[i]) / norm(x[0]),
                          3 * rotation_error(rotator.precision), [&] {
                              return fmt::format(
                                  "{} b={}",
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
CheckFinding inverse(const CheckContext& context) {
    WorstCase worst(context.cases);
    for (const Rope& rope : rope_sweep(context.cases)) {
        const HeadRows x = rows_for_positions(rope, 5);
        for (const Rotator& rotator : rotators(context)) {
            const HeadRows there = rotator.forward(rope, x, sweep_positions());
            const HeadRows back =
                rotator.rotate(rope, there, sweep_positions(), Direction::inverse);
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
CheckFinding routes_agree(std::span<const Rotator> rotators, const Cases& cases) {
    WorstCase worst(cases);
    const Rotator& reference = rotators.front();
    for (const Rope& rope : rope_sweep(cases)) {
        const HeadRows x = rows_for_positions(rope, 6);
        const HeadRows expected = reference.forward(rope, x, sweep_positions());
        for (const Rotator& rotator : rotators.subspan(1)) {
            const HeadRows y = rotator.forward(rope, x, sweep_positions());
            for (std::size_t i = 0; i < y.count(); ++i) {
                const std::int64_t m = sweep_positions()[i];
                worst.add(distance(y[i], expected[i]) / norm(x[i]),
                          rotator.error_at(m) + reference.error_at(m),
                          [&] { return where(rotator, rope, m) + " against=" + reference.name; });
            }
        }
    }
    return worst.finding(
        bound_text("2 sqrt(2) (e + 2 unit + 8 u), and 4.24 m 2^-64 for powers to m"), sweep_text());
}

std::vector<Check> rope_identities() {
    return {
        {.id = "rope.orthogonality",
         .title = "R^T R = I",
         .source = "RoFormer, section 3.2.2, eq. 15",
         .statement = "The rotary matrix is orthogonal at every position.",
         .figure = "rotation",
         .run =
             [](const CheckContext& c) { return matrices_orthogonal(matrix_sources(c), c.cases); }},
        {.id = "rope.relative",
         .title = "R_m^T R_n = R_{n-m}",
         .source = "RoFormer, section 3.2.2, eq. 16",
         .statement =
             "The product of two rotary matrices depends on the distance of the positions only.",
         .figure = "rotation",
         .run =
             [](const CheckContext& c) { return matrices_relative(matrix_sources(c), c.cases); }},
        {.id = "rope.routes_agree",
         .title = "complex, matrix and element-wise agree",
         .source = "RoFormer, eqs. 12, 15 and 34",
         .statement = "Complex multiplication, the block-diagonal matrix and the element-wise form "
                      "are the same "
                      "map, and the same as powers of e^{i theta}, which share no angle with them.",
         .figure = "rotation",
         .run =
             [](const CheckContext& c) {
                 return routes_agree(std::vector{complex_rotator(), matrix_rotator(),
                                                 elements_rotator(), power_rotator()},
                                     c.cases);
             }},
        {.id = "rope.norm",
         .title = "|R_m x| = |x|",
         .source = "RoFormer, section 3.2.2, eq. 15",
         .statement = "Rotation keeps the length of every query and key.",
         .figure = "rotation",
         .run = norm_preserved},
        {.id = "rope.identity_at_zero",
         .title = "R_0 x = x",
         .source = "RoFormer, section 3.2.1",
         .statement = "Position 0 leaves every vector as it is.",
         .figure = "rotation query_position=0 key_position=0",
         .run = identity_at_zero},
        {.id = "rope.pass_through",
         .title = "partial rotary copies the rest",
         .source = "GPT-NeoX, rotary_pct",
         .statement = "Channels from rotary_dim on do not change.",
         .figure = "layouts head_dim=16 rotary_dim=8",
         .run = pass_through},
        {.id = "rope.composition",
         .title = "R_a R_b = R_{a+b}",
         .source = "RoFormer, section 3.2.2, eq. 16",
         .statement = "Rotating twice is rotating by the sum: a cache may be shifted.",
         .figure = "rotation",
         .run = composition},
        {.id = "rope.inverse",
         .title = "R_m^-1 R_m x = x",
         .source = "RoFormer, section 3.2.2, eq. 15",
         .statement = "The transposed rotation undoes the rotation.",
         .figure = "rotation",
         .run = inverse},
    };
}

// Identities of the whole matrix R_{Theta,m}: what lies outside its blocks counts as well.

namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;

// Of basis vectors: 128 KiB at the widest head, which stay in the cache. Larger blocks go back to
// the system each time, and its empty pages cost more than the rotation.
constexpr Index kRowsAtOnce = 64;

SparseMatrix identity(Index head_dim) {
    SparseMatrix matrix(head_dim, head_dim);
    matrix.setIdentity();
    return matrix;
}

/// The next column of a matrix that is being filled.
void append_column(SparseMatrix& matrix, Index column, std::span<const double> values) {
    matrix.startVec(column);
    for (Index row = 0; row < std::ssize(values); ++row) {
        if (values[row] != 0.0) {  // NaN stays
            matrix.insertBack(row, column) = values[row];
        }
    }
}

/// Largest |entry|; NaN when there is one.
double largest_entry(const SparseMatrix& matrix) {
    double largest = 0.0;
    for (Index column = 0; column < matrix.outerSize(); ++column) {
        for (SparseMatrix::InnerIterator entry(matrix, column); entry; ++entry) {
            const double size = std::abs(entry.value());
            largest = size <= largest ? largest : size;
        }
        if (std::isnan(largest)) {
            break;
        }
    }
    return largest;
}

using PositionPairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// Position pairs with both signs of n - m: each against the next, every second pair turned round.
PositionPairs position_pairs() {
    const auto positions = sweep_positions();
    PositionPairs pairs;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const std::int64_t m = positions[i];
        const std::int64_t n = positions[(i + 1) % positions.size()];
        pairs.push_back(i % 2 == 0 ? std::pair{m, n} : std::pair{n, m});
    }
    return pairs;
}

/// m, n and n - m of every pair, each once and in order.
std::vector<std::int64_t> positions_of(const PositionPairs& pairs) {
    std::set<std::int64_t> positions;
    for (const auto& [m, n] : pairs) {
        positions.insert({m, n, n - m});
    }
    return {positions.begin(), positions.end()};
}

}  // namespace

MatrixSource route_matrix(std::string name, DenseMatrix dense) {
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    auto matrices = [dense](const Rope& rope, std::span<const std::int64_t> positions) {
        std::vector<SparseMatrix> all;
        for (const std::int64_t position : positions) {
            const std::vector<double> values = dense(rope.spec, rope.spectrum, position);
            const Index n = rope.spec.head_dim;
            all.emplace_back(Eigen::Map<const RowMajor>(values.data(), n, n).sparseView());
        }
        return all;
    };
    return {std::move(name), kDoublePrecision, std::move(matrices)};
}

MatrixSource basis_matrix(const Rotator& rotator) {
    auto matrices = [rotator](const Rope& rope, std::span<const std::int64_t> positions) {
        const Index n = rope.spec.head_dim, places = std::ssize(positions);
        std::vector<SparseMatrix> all(positions.size(), SparseMatrix(n, n));
        const Index columns_at_once = std::max<Index>(1, kRowsAtOnce / places);
        for (Index first = 0; first < n; first += columns_at_once) {
            const Index columns = std::min(columns_at_once, n - first);
            // Each basis vector at every position.
            HeadRows basis{n, std::vector<double>(columns * places * n)};
            std::vector<std::int64_t> position_of_row;
            for (Index row = 0; row < columns * places; ++row) {
                basis.values[row * n + first + row / places] = 1.0;
                position_of_row.push_back(positions[row % places]);
            }
            const HeadRows rotated = rotator.forward(rope, basis, position_of_row);
            for (Index row = 0; row < columns * places; ++row) {
                append_column(all[row % places], first + row / places, rotated[row]);
            }
        }
        for (SparseMatrix& matrix : all) {
            matrix.finalize();
        }
        return all;
    };
    return {rotator.name, rotator.precision, std::move(matrices)};
}

// Bound: with cos and sin each off by e = table_error, R^T R - I is off by 2 (|cos| + |sin|) e <=
// 2 sqrt(2) e; the angle's error cancels, for any angle makes a rotation. The product and the sum
// of two squares in double add 2 u.
CheckFinding matrices_orthogonal(std::span<const MatrixSource> sources, const Cases& cases) {
    WorstCase worst(cases);
    const auto positions = sweep_positions();
    for (const Rope& rope : rope_sweep(cases)) {
        const SparseMatrix one = identity(rope.spec.head_dim);
        for (const MatrixSource& source : sources) {
            const double bound = 2 * kSqrt2Up * source.precision.table_error() + 2 * kUnitDouble;
            const std::vector<SparseMatrix> matrices = source.matrices(rope, positions);
            for (std::size_t i = 0; i < positions.size(); ++i) {
                const SparseMatrix& r = matrices[i];
                const SparseMatrix residual = SparseMatrix(r.transpose()) * r - one;
                worst.add(largest_entry(residual), bound, [&] {
                    return fmt::format("by={} {} m={}", source.name, case_name(rope.spec),
                                       positions[i]);
                });
            }
        }
    }
    return worst.finding(bound_text("2 sqrt(2) e + 2 u"), sweep_text());
}

// Bound: the error of a product of two matrices of norm 1 is the sum of their errors, 2 u come from
// computing it, and R_{n-m} has an error of its own.
CheckFinding matrices_relative(std::span<const MatrixSource> sources, const Cases& cases) {
    WorstCase worst(cases);
    const auto pairs = position_pairs();
    const std::vector<std::int64_t> positions = positions_of(pairs);
    const auto place = [&](std::int64_t position) {
        return std::ranges::lower_bound(positions, position) - positions.begin();
    };
    for (const Rope& rope : rope_sweep(cases)) {
        for (const MatrixSource& source : sources) {
            const std::vector<SparseMatrix> matrices = source.matrices(rope, positions);
            const double bound = 3 * matrix_error(source.precision) + 2 * kUnitDouble;
            for (const auto& [m, n] : pairs) {
                const SparseMatrix product =
                    SparseMatrix(matrices[place(m)].transpose()) * matrices[place(n)];
                const SparseMatrix residual = product - matrices[place(n - m)];
                worst.add(largest_entry(residual), bound, [&, m = m, n = n] {
                    return fmt::format("by={} {} m={} n={}", source.name, case_name(rope.spec), m,
                                       n);
                });
            }
        }
    }
    return worst.finding(bound_text("3 sqrt(2) (e + 8 u) + 2 u"), sweep_text());
}

}  // namespace ropescope
