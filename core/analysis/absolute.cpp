// Computes sinusoidal position vectors, their shifts and the four terms of an additive score.
#include "core/analysis/absolute.h"

#include <cmath>
#include <numeric>
#include <utility>

#include "core/analysis/turns.h"
#include "core/base/uniform.h"

namespace ropescope {
namespace {

double product(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

std::vector<double> sinusoidal_row(const Spectrum& spectrum, Index position) {
    const Turn turn = make_turn(spectrum, position);
    std::vector<double> row;
    row.reserve(2 * turn.cos.size());
    for (std::size_t i = 0; i < turn.cos.size(); ++i) {
        row.push_back(turn.sin[i]);
        row.push_back(turn.cos[i]);
    }
    return row;
}

std::vector<double> shift_map(const Spectrum& spectrum, Index shift) {
    const Turn turn = make_turn(spectrum, shift);
    const std::size_t size = 2 * turn.cos.size();
    std::vector<double> map(size * size, 0.0);
    for (std::size_t i = 0; i < turn.cos.size(); ++i) {
        const std::size_t sin = 2 * i, cos = sin + 1;
        map[sin * size + sin] = turn.cos[i];
        map[sin * size + cos] = turn.sin[i];
        map[cos * size + sin] = -turn.sin[i];
        map[cos * size + cos] = turn.cos[i];
    }
    return map;
}

std::vector<double> shifted(const Spectrum& spectrum, Index shift, std::span<const double> row) {
    const Turn turn = make_turn(spectrum, shift);
    std::vector<double> out(row.size());
    for (std::size_t i = 0; i < turn.cos.size(); ++i) {
        const double sin = row[2 * i], cos = row[2 * i + 1];
        out[2 * i] = turn.cos[i] * sin + turn.sin[i] * cos;
        out[2 * i + 1] = turn.cos[i] * cos - turn.sin[i] * sin;
    }
    return out;
}

Projection::Projection(Index size, std::uint64_t seed) : source_(size), sign_(size), mirror_(size) {
    std::iota(source_.begin(), source_.end(), Index{0});
    double squares = 0;
    for (Index i = 0; i < size; ++i) {
        // Fisher and Yates, from the front.
        const double pick = uniform(seed, 3 * i) * to_double(size - i);
        std::swap(source_[i], source_[i + floor_to_index(pick)]);
        sign_[i] = uniform(seed, 3 * i + 1) < 0.5 ? -1 : 1;
        mirror_[i] = 2 * uniform(seed, 3 * i + 2) - 1;
        squares += mirror_[i] * mirror_[i];
    }
    for (double& value : mirror_) {
        value /= std::sqrt(squares);
    }
}

std::vector<double> Projection::apply(std::span<const double> x) const {
    std::vector<double> y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        y[i] = sign_[i] * x[source_[i]];
    }
    const double along = product(mirror_, y);
    for (std::size_t i = 0; i < y.size(); ++i) {
        y[i] -= 2 * along * mirror_[i];
    }
    return y;
}

AdditiveTerms additive_terms(std::span<const double> projected_x,
                             std::span<const double> projected_p_m,
                             std::span<const double> projected_y,
                             std::span<const double> projected_p_n) {
    const double scale = 1 / std::sqrt(to_double(std::ssize(projected_x)));
    return {scale * product(projected_x, projected_y), scale * product(projected_x, projected_p_n),
            scale * product(projected_p_m, projected_y),
            scale * product(projected_p_m, projected_p_n)};
}

}  // namespace ropescope
