// Identities of the whole matrix R_{Theta,m}: what lies outside its blocks counts as well.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "core/checks/families/rope_identities.h"
#include "core/checks/worst_case.h"

namespace ropescope {
namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;

constexpr Index kBasisVectorsAtOnce = 64;  // what fits the cache

SparseMatrix identity(Index head_dim) {
    SparseMatrix matrix(head_dim, head_dim);
    matrix.setIdentity();
    return matrix;
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

/// Position pairs with both signs of n - m: each against the next, every second pair turned round.
std::vector<std::pair<std::int64_t, std::int64_t>> position_pairs() {
    const auto positions = sweep_positions();
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const std::int64_t m = positions[i];
        const std::int64_t n = positions[(i + 1) % positions.size()];
        pairs.push_back(i % 2 == 0 ? std::pair{m, n} : std::pair{n, m});
    }
    return pairs;
}

}  // namespace

MatrixSource route_matrix(std::string name, DenseMatrix dense) {
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    auto matrix = [dense](const Rope& rope, std::int64_t position) {
        const std::vector<double> values = dense(rope.spec, rope.spectrum, position);
        const Index n = rope.spec.head_dim;
        return SparseMatrix(Eigen::Map<const RowMajor>(values.data(), n, n).sparseView());
    };
    return {std::move(name), kDoublePrecision, std::move(matrix)};
}

MatrixSource basis_matrix(const Rotator& rotator) {
    auto matrix = [rotator](const Rope& rope, std::int64_t position) {
        const Index n = rope.spec.head_dim;
        SparseMatrix columns(n, n);
        for (Index first = 0; first < n; first += kBasisVectorsAtOnce) {
            const Index count = std::min(kBasisVectorsAtOnce, n - first);
            Rows basis{n, std::vector<double>(count * n)};
            for (Index i = 0; i < count; ++i) {
                basis.values[i * (n + 1) + first] = 1.0;
            }
            const std::vector<std::int64_t> positions(count, position);
            const Rows rotated = rotator.forward(rope, basis, positions);
            for (Index column = first; column < first + count; ++column) {
                columns.startVec(column);
                const auto values = rotated[column - first];
                for (Index row = 0; row < n; ++row) {
                    const double value = values[row];
                    if (value != 0.0) {  // NaN stays
                        columns.insertBack(row, column) = value;
                    }
                }
            }
        }
        columns.finalize();
        return columns;
    };
    return {rotator.name, rotator.precision, std::move(matrix)};
}

// Bound: with cos and sin each off by e = table_error, R^T R - I is off by 2 (|cos| + |sin|) e <=
// 2 sqrt(2) e; the angle's error cancels, for any angle makes a rotation. The product and the sum
// of two squares in double add 2 u.
Finding matrices_orthogonal(std::span<const MatrixSource> sources, const Cases& cases) {
    WorstCase worst(cases);
    for (const Rope& rope : rope_sweep()) {
        const SparseMatrix one = identity(rope.spec.head_dim);
        for (const MatrixSource& source : sources) {
            const double bound = 2 * kSqrt2Up * source.precision.table_error() + 2 * kUnitDouble;
            for (const std::int64_t m : sweep_positions()) {
                const SparseMatrix r = source.matrix(rope, m);
                const SparseMatrix residual = SparseMatrix(r.transpose()) * r - one;
                worst.add(largest_entry(residual), bound, [&] {
                    return fmt::format("by={} {} m={}", source.name, case_name(rope.spec), m);
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
    for (const Rope& rope : rope_sweep()) {
        for (const MatrixSource& source : sources) {
            std::map<std::int64_t, SparseMatrix> known;
            const auto matrix = [&](std::int64_t position) -> const SparseMatrix& {
                auto found = known.find(position);
                if (found == known.end()) {
                    found = known.emplace(position, source.matrix(rope, position)).first;
                }
                return found->second;
            };
            const double bound = 3 * matrix_error(source.precision) + 2 * kUnitDouble;
            for (const auto& [m, n] : pairs) {
                const SparseMatrix product = SparseMatrix(matrix(m).transpose()) * matrix(n);
                const SparseMatrix residual = product - matrix(n - m);
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
