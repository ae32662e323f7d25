// The score against distance: the wide panel of the rotation view.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "app/figures/rotation/state.h"
#include "app/figures/text.h"

namespace ropescope::figures {
namespace {

using plot::Role;

/// Where the text beside the ring stands: on the side away from the peak at 0, and above or below
/// the curve; where the curve leaves no room, above all of it.
struct LabelPlace {
    bool left = true;
    double y = 0, anchor_y = 0;
};

constexpr double kAboveAll = 1.12;

LabelPlace label_place(const std::vector<plot::Point>& curve, double at, double range) {
    LabelPlace place{.left = at <= 0 ? at > -0.6 * range : at > 0.6 * range};
    const double width = 0.45 * range;  // of the text, about
    const double from = place.left ? at - width : at, to = place.left ? at : at + width;
    double lowest = 1, highest = -1;
    for (const plot::Point& point : curve) {
        if (point.x >= from && point.x <= to) {
            lowest = std::min(lowest, point.y);
            highest = std::max(highest, point.y);
        }
    }
    if (highest < 0.68) {
        place.y = 0.97;
        place.anchor_y = 1.0;
    } else {
        place.y = lowest > 0.4 ? 0.04 : kAboveAll;
    }
    return place;
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
    const auto end = static_cast<double>(range);
    const LabelPlace place = label_place(line.points, at, end);

    plot::Panel panel{
        .id = "score",
        .title = "score against distance n − m",
        .corners = {.top_right = fmt::format("mean cosine between q and k, {}",
                                             counted(state.spec.pairs(), "pair"))},
        .x = {.label = step > 1 ? fmt::format("sampled every {:.0f} positions", step) : "",
              .min = -end,
              .max = end,
              .integers = true,
              .signs = true},
        .y = {.min = lowest - 0.05, .max = place.y == kAboveAll ? 1.5 : 1.1}};
    panel.marks = {
        plot::Rule{.at = at, .role = Role::dim}, std::move(line),
        plot::Points{.points = {{at, score}}, .role = Role::query, .radius_px = 5, .ring = true},
        plot::Label{.at = {at + (place.left ? -0.012 : 0.012) * end, place.y},
                    .text = "n − m = " + whole_text(state.delta()) + " → " + fixed_text(score, 3),
                    .anchor_x = place.left ? 1.0 : 0.0,
                    .anchor_y = place.anchor_y,
                    .mono = true}};
    return panel;
}

}  // namespace ropescope::figures
