// Identities of the whole matrix R_{Theta,m}: what lies outside its blocks counts as well.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

#include "core/checks/families/rope_identities.h"
#include "core/checks/worst_case.h"

namespace ropescope {
namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;

constexpr Index kRowsAtOnce = 1024;  // of basis vectors: 2 MiB at the widest head

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
            Rows basis{n, std::vector<double>(columns * places * n)};
            std::vector<std::int64_t> position_of_row;
            for (Index row = 0; row < columns * places; ++row) {
                basis.values[row * n + first + row / places] = 1.0;
                position_of_row.push_back(positions[row % places]);
            }
            const Rows rotated = rotator.forward(rope, basis, position_of_row);
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
Finding matrices_orthogonal(std::span<const MatrixSource> sources, const Cases& cases) {
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
Finding matrices_relative(std::span<const MatrixSource> sources, const Cases& cases) {
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
