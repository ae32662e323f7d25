// Computes the state of the rotation view.
#include <cmath>
#include <complex>
#include <numbers>
#include <span>

#include "app/figures/rotation/rotation.h"
#include "app/figures/shared/turned_rows.h"

namespace ropescope::figures {
namespace {

constexpr Index kTrail = 24;  ///< earlier positions that leave a dot

void add_curve(RotationState& state, Engine& engine) {
    const int half = static_cast<int>(state.range / state.step);
    const std::vector<double> scores =
        score_curve(state.content, state.spectrum, state.step, half, engine);
    for (Index i = 0; i < std::ssize(scores); ++i) {
        state.curve.push_back({to_double(i - half) * state.step, scores[i]});
    }
}

Trail make_trail(TensorOps& ops, const RotationState& state, const std::vector<double>& angles_rad,
                 Index position, bool live) {
    Spectrum shown{.inv_freq_rad = {}, .attention_factor = 1.0};
    std::vector<std::complex<double>> contents;
    for (const Index pair : state.shown) {
        shown.inv_freq_rad.push_back(state.inv_freq(pair));
        contents.push_back(std::polar(1.0, angles_rad[pair]));
    }
    const Index first = std::max<Index>(0, position - kTrail);
    Trail trail{turned_rows(ops, contents, shown, consecutive(first, position - first + 1)), {}};
    if (live) {
        ops.publish(trail.points);
    } else {
        trail.values = ops.download(trail.points);
    }
    return trail;
}

}  // namespace

double RotationState::q_rad(Index pair) const {
    return content.q_rad[pair] + reduced_angle_rad(m, inv_freq(pair));
}

double RotationState::k_rad(Index pair) const {
    return content.k_rad[pair] + reduced_angle_rad(n, inv_freq(pair));
}

double RotationState::between_rad(Index pair) const {
    return std::remainder(k_rad(pair) - q_rad(pair), 2 * std::numbers::pi);
}

double RotationState::logit(double score) const {
    return score * to_double(spec.pairs()) / std::sqrt(to_double(spec.head_dim));
}

RotationState make_rotation_state(const Scene& scene, Engine& engine) {
    const ShownEncoding shown = shown_encoding(scene);
    RotationState state{.spec = shown.spec,
                        .spectrum = shown.spectrum,
                        .along = shown.along,
                        .content = make_content(shown.scene),
                        .m = scene.query_position,
                        .n = scene.key_position,
                        .shown = {},
                        .selected = shown.scene.selected_pair,
                        .curve = {}};
    for (const Index pair : shown.scene.pairs) {
        state.shown.push_back(pair);
    }
    const Index range = drawn_range(scene, state.delta());
    state.range = to_double(range);
    state.step = sample_step(range);
    add_curve(state, engine);
    return state;
}

plot::Point Trail::at(Index row, Index pair) const {
    const Index i = row * points.columns + 2 * pair;
    return {values.values[i], values.values[i + 1]};
}

plot::LivePoints Trail::live(Index row, Index pair, Index count) const {
    return {points, row * points.columns + 2 * pair, points.columns, count};
}

Trails make_trails(const RotationState& state, TensorOps& ops, bool live) {
    return {make_trail(ops, state, state.content.q_rad, state.m, live),
            make_trail(ops, state, state.content.k_rad, state.n, live)};
}

}  // namespace ropescope::figures
