// Draws the curves of the attention view: scores by distance, and what moving all tokens changes.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "app/figures/attention/panels.h"
#include "app/figures/text.h"

namespace ropescope::figures {
namespace {

using plot::Point;
using plot::Role;

std::vector<Point> curve(const HeadMap& map, double deviations) {
    std::vector<Point> points;
    for (Index i = 0; i < std::ssize(map.mean_score); ++i) {
        const double middle = to_double(map.first_distance) + to_double(map.bin) * to_double(i) +
                              0.5 * to_double(map.bin - 1);
        points.push_back({middle, map.mean_score[i] + deviations * map.deviation[i]});
    }
    return points;
}

}  // namespace

plot::Panel distance_panel(const AttentionState& state, const Scene& scene) {
    const OpenedHead at = opened_head(scene, state.config);
    const HeadMap& on = state.map(at.layer, at.head);
    const HeadMap& off = state.unrotated_map(at.layer, at.head);
    plot::Area band{
        .low = curve(on, -1), .high = curve(on, 1), .role = Role::first, .opacity = 0.25};
    plot::Line with{.points = curve(on, 0), .role = Role::first, .label = "RoPE"};
    plot::Line without{.points = curve(state.other ? map_of(state, Side::other, at) : off, 0),
                       .role = state.other ? Role::second : Role::dim,
                       .width = 0.8,
                       .dash = plot::Dash::dashed,
                       .label = state.other ? "other" : "off"};
    double most = 0;
    for (const std::vector<Point>* points : {&band.low, &band.high, &without.points}) {
        for (const Point& point : *points) {
            most = std::max(most, std::abs(point.y));
        }
    }
    most = most > 0 ? 1.15 * most : 1;
    const double reach = to_double(std::max<Index>(1, state.tokens.count() - 1));
    plot::Panel panel{.id = "distance",
                      .title = "score by distance: mean ± deviation",
                      .x = {.label = "distance key − query (positions)",
                            .min = -reach,
                            .max = reach,
                            .integers = true,
                            .signs = true},
                      .y = {.min = -most, .max = most}};
    panel.marks.emplace_back(
        plot::Rule{.vertical = false, .at = 0, .role = Role::line, .dashed = false});
    panel.marks.emplace_back(std::move(band));
    panel.marks.emplace_back(std::move(without));
    panel.marks.emplace_back(std::move(with));
    return panel;
}

plot::Panel shift_panel(const AttentionState& state, const Scene& scene) {
    constexpr double kFloor = 1e-9;  // what a logarithmic axis shows of zero
    const Role role = state.largest.score > state.rounding() ? Role::wrong : Role::cos_part;
    std::vector<Point> scores;
    for (Index layer = 0; layer < std::ssize(state.changes); ++layer) {
        scores.push_back({to_double(layer), std::max(kFloor, state.changes[layer].score)});
    }
    const double last = to_double(state.config.n_layers) - 0.5;
    const bool computing = state.shift != scene.attention_shift;
    plot::Panel panel{
        .id = "shift",
        .title = "largest change of a score",
        .corners = {.top_right = computing
                                     ? std::string("not computed yet")
                                     : fmt::format("{} table", to_string(scene.attention_table))},
        .x = {.label = "layer", .min = -0.5, .max = last, .integers = true},
        .y = {.min = kFloor, .max = 1, .scale = plot::AxisScale::log10}};
    // Half a step of fp32 at the largest score.
    panel.marks.emplace_back(plot::Rule{
        .vertical = false, .at = std::max(kFloor, 0x1p-24 * state.scale.score), .label = "fp32"});
    if (!computing) {
        panel.marks.emplace_back(plot::Line{.points = scores, .role = role, .width = 0.8});
        panel.marks.emplace_back(plot::Points{.points = scores, .role = role, .radius_px = 4});
    }
    return panel;
}

}  // namespace ropescope::figures
