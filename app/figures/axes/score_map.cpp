// Computes scores over a grid of patches as a product of matrices.
#include "app/figures/axes/score_map.h"

#include <cmath>

namespace ropescope::figures {
namespace {

/// cos and sin, [pairs, steps], of the angles along one side, from the step of the fixed patch on.
struct Waves {
    std::vector<double> cos, sin;
};

/// `ahead_rad` is added to the angles of each pair; empty: nothing.
Waves waves(const Spectrum& spectrum, const PatchPositions::Steps& steps, Index from,
            const std::vector<double>& ahead_rad) {
    const Index count = std::ssize(steps.front());
    Waves waves;
    for (Index pair = 0; pair < spectrum.pairs(); ++pair) {
        const auto omega_rad = spectrum.omega_rad(pair);
        for (Index i = 0; i < count; ++i) {
            double angle_rad = ahead_rad.empty() ? 0.0 : ahead_rad[pair];
            for (Index a = 0; a < spectrum.axes; ++a) {
                angle_rad += omega_rad[a] * (steps[a][i] - steps[a][from]);
            }
            waves.cos.push_back(std::cos(angle_rad));
            waves.sin.push_back(std::sin(angle_rad));
        }
    }
    return waves;
}

}  // namespace

std::vector<double> score_map(const Spectrum& spectrum, const PatchPositions& places,
                              const PatchIndex& fixed, Index frame) {
    const Index rows = std::ssize(places.rows.front());
    const Index columns = std::ssize(places.columns.front());
    const std::vector<double> ahead_rad =
        turns_rad(spectrum, places, {fixed.frame, 0, 0}, {frame, 0, 0});
    const Waves down = waves(spectrum, places.rows, fixed.row, ahead_rad);
    const Waves across = waves(spectrum, places.columns, fixed.column, {});
    std::vector<double> scores(rows * columns, 0.0);
    for (Index row = 0; row < rows; ++row) {
        double* const out = scores.data() + row * columns;
        for (Index pair = 0; pair < spectrum.pairs(); ++pair) {
            const double c = down.cos[pair * rows + row], s = down.sin[pair * rows + row];
            const double* const cos = across.cos.data() + pair * columns;
            const double* const sin = across.sin.data() + pair * columns;
            for (Index column = 0; column < columns; ++column) {
                out[column] += c * cos[column] - s * sin[column];
            }
        }
    }
    for (double& score : scores) {
        score /= to_double(spectrum.pairs());
    }
    return scores;
}

std::vector<double> turns_rad(const Spectrum& spectrum, const PatchPositions& places,
                              const PatchIndex& from, const PatchIndex& to) {
    std::vector<double> between;
    for (Index a = 0; a < spectrum.axes; ++a) {
        between.push_back(places.between(a, from, to));
    }
    std::vector<double> turns;
    for (Index pair = 0; pair < spectrum.pairs(); ++pair) {
        turns.push_back(reduced_angle_sum_rad(between, spectrum.omega_rad(pair)));
    }
    return turns;
}

}  // namespace ropescope::figures
