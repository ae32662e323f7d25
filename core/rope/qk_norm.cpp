// Computes the normalisation of a row in float64.
#include "core/rope/qk_norm.h"

#include <algorithm>
#include <cmath>

namespace ropescope {

NormOfRow norm_of_sums(const QkNorm& norm, double sum, double sum_of_squares, Index count) {
    const double n = to_double(count), mean = sum / n;
    const double shift = norm.kind == NormKind::layer ? mean : 0.0;
    double square = norm.kind == NormKind::l2 ? sum_of_squares
                                              : std::max(0.0, sum_of_squares / n - shift * shift);
    if (norm.slip == NormSlip::one_less && count > 1) {
        square *= n / (n - 1.0);
    }
    return {shift, norm.slip == NormSlip::eps_outside ? 1.0 / (std::sqrt(square) + norm.eps)
                                                      : 1.0 / std::sqrt(square + norm.eps)};
}

NormOfRow norm_of(const QkNorm& norm, std::span<const double> row) {
    double sum = 0.0, squares = 0.0;
    for (const double x : row) {
        sum += x;
        squares += x * x;
    }
    return norm_of_sums(norm, sum, squares, std::ssize(row));
}

double factor_of_weight(const QkNorm& norm, double weight) {
    return norm.kind == NormKind::rms_plus_one ? 1.0 + weight : weight;
}

std::vector<double> normalised_row(const QkNorm& norm, std::span<const double> weights,
                                   std::span<const double> row) {
    const NormOfRow of = norm_of(norm, row);
    std::vector<double> result;
    result.reserve(row.size());
    for (std::size_t c = 0; c < row.size(); ++c) {
        result.push_back((row[c] - of.shift) * of.scale * factor_of_weight(norm, weights[c]));
    }
    return result;
}

double norm_units(Index count) {
    return 4.0 * std::sqrt(to_double(count) / 3.0) + 9.0;
}

}  // namespace ropescope
