// The score against distance: the wide panel of the rotation view.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

#include "app/figures/rotation_parts.h"
#include "app/figures/text.h"

namespace ropescope::figures {
namespace {

using plot::Role;

/// The scene's range, doubled until the current distance lies inside.
std::int64_t drawn_range(const Scene& scene, std::int64_t delta) {
    std::int64_t range = std::max<std::int64_t>(1, scene.distance_range);
    while (range < std::abs(delta)) {
        range *= 2;
    }
    return range;
}

/// Distances between two samples: a power of two, so that the sampled angles are exact; from 1/8
/// up, at most 512 samples to a side.
double sample_step(std::int64_t range) {
    double step = 0.125;
    while (static_cast<double>(range) / step > 512) {
        step *= 2;
    }
    return step;
}

/// Beside the ring, away from the peak at 0 unless the panel ends there, and where the curve is
/// not: above a low score, below a high one.
plot::Label marked_label(std::int64_t delta, double score, std::int64_t range) {
    const auto where = static_cast<double>(delta) / static_cast<double>(range);
    const bool to_the_left = where <= 0 ? where > -0.6 : where > 0.6;
    const double gap = 0.012 * static_cast<double>(range);
    const bool above = score < 0.65;
    return {.at = {static_cast<double>(delta) + (to_the_left ? -gap : gap), above ? 0.97 : 0.04},
            .text = "n − m = " + whole_text(delta) + " → " + fixed_text(score, 3),
            .role = Role::text,
            .anchor_x = to_the_left ? 1.0 : 0.0,
            .anchor_y = above ? 1.0 : 0.0,
            .mono = true};
}

}  // namespace

plot::Panel score_panel(const Scene& scene, const RotationState& state, Engine& engine) {
    const std::int64_t range = drawn_range(scene, state.delta());
    const double step = sample_step(range);
    const int half = static_cast<int>(static_cast<double>(range) / step);
    const std::vector<double> curve =
        score_curve(state.content, state.spectrum, step, half, engine);
    plot::Line line{.points = {}, .role = Role::text, .width = 0.9};
    for (std::size_t i = 0; i < curve.size(); ++i) {
        line.points.push_back({(static_cast<double>(i) - half) * step, curve[i]});
    }
    const auto at = static_cast<double>(state.delta());
    const double score = score_cosine(state.content, state.spectrum, state.delta());
    const double lowest = std::min(0.0, *std::ranges::min_element(curve));

    plot::Panel panel{.id = "score",
                      .title = "score against distance n − m",
                      .corners = {.top_right = fmt::format("mean cosine between q and k, {}",
                                                           counted(state.spec.pairs(), "pair"))},
                      .x = {.label = step > 1 ? fmt::format("every {} positions", step) : "",
                            .min = -static_cast<double>(range),
                            .max = static_cast<double>(range),
                            .integers = true,
                            .signs = true},
                      .y = {.min = lowest - 0.05, .max = 1.1}};
    panel.marks = {
        plot::Rule{.at = at, .role = Role::dim}, std::move(line),
        plot::Points{.points = {{at, score}}, .role = Role::query, .radius_px = 5, .ring = true},
        marked_label(state.delta(), score, range)};
    return panel;
}

}  // namespace ropescope::figures
