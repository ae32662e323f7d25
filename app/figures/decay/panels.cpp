// Draws the two panels of the decay view.
#include "app/figures/decay/panels.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "app/figures/text.h"

namespace ropescope::figures {
namespace {

using plot::Point;
using plot::Role;

plot::Axis distance_axis(const DecayState& state, bool named) {
    std::string label = "distance |n − m| (positions)";
    if (const Index step = state.step(); step > 1 && !state.logarithmic) {
        label += ", drawn every " + whole_text(step);
    }
    return {.label = named ? label : "",
            .min = state.logarithmic ? 1.0 : 0.0,
            .max = to_double(state.range),
            .scale = state.logarithmic ? plot::AxisScale::log10 : plot::AxisScale::linear,
            .integers = !state.logarithmic};
}

std::vector<Point> points_of(const DecayState& state, const std::vector<double>& values) {
    std::vector<Point> points;
    points.reserve(values.size());
    for (Index i = 0; i < std::ssize(values); ++i) {
        points.push_back({to_double(state.distances[i]), values[i]});
    }
    return points;
}

/// Adds the curve, and over it a thicker line where it rises.
void add_curve(std::vector<plot::Mark>& marks, const std::vector<Point>& points, double tolerance) {
    marks.emplace_back(plot::Line{.points = points, .role = Role::first, .width = 0.9});
    plot::Line rising{.points = {}, .role = Role::text, .width = 1.5};
    const auto finish = [&] {
        if (!rising.points.empty()) {
            marks.emplace_back(rising);
        }
        rising.points.clear();
    };
    for (Index i = 1; i < std::ssize(points); ++i) {
        if (points[i].y <= points[i - 1].y + tolerance) {
            finish();
            continue;
        }
        if (rising.points.empty()) {
            rising.points.push_back(points[i - 1]);
        }
        rising.points.push_back(points[i]);
    }
    finish();
}

std::string panel_rises_text(const DecayState& state, const Rises& rises) {
    return rises.constant() ? "constant" : rises_text(state, rises);
}

/// Adds a ring with its words, which move from its right to its left along the axis.
void add_place(plot::Panel& panel, Point at, const std::string& text, bool above) {
    const bool log = panel.x.scale == plot::AxisScale::log10;
    const double share = log ? std::log(at.x / panel.x.min) / std::log(panel.x.max / panel.x.min)
                             : (at.x - panel.x.min) / (panel.x.max - panel.x.min);
    panel.marks.emplace_back(
        plot::Points{.points = {at}, .role = Role::text, .radius_px = 4.5, .ring = true});
    const double lift = (above ? 0.05 : -0.05) * (panel.y.max - panel.y.min);
    panel.marks.emplace_back(plot::Label{.at = {at.x, at.y + lift},
                                         .text = text,
                                         .anchor_x = std::clamp(share, 0.0, 1.0),
                                         .anchor_y = above ? 0.0 : 1.0});
}

/// Adds the band of the random scores and their mean.
void add_random(plot::Panel& panel, const DecayState& state) {
    plot::Area area{.low = {}, .high = {}, .role = Role::second, .opacity = 0.28};
    plot::Line mean{.points = {}, .role = Role::second, .width = 0.9, .dash = plot::Dash::dashed};
    for (Index i = 0; i < std::ssize(state.random.mean); ++i) {
        const double x = to_double(state.distances[state.random_at[i]]);
        area.low.push_back({x, state.random.low[i]});
        area.high.push_back({x, state.random.high[i]});
        mean.points.push_back({x, state.random.mean[i]});
    }
    panel.marks.emplace_back(std::move(area));
    panel.marks.emplace_back(std::move(mean));
}

/// Adds the mean cosine of the encoder's q and k, as pairs that all agree would have it at the top.
void add_measured(plot::Panel& panel, const DecayState& state) {
    plot::Line line{.points = {},
                    .role = Role::query,
                    .width = 1.2,
                    .dash = plot::Dash::dotted,
                    .label = "measured"};
    const std::vector<double>& cosine = state.measured->by_distance.cosine;
    for (Index i = state.logarithmic ? 1 : 0; i < std::ssize(cosine) && i <= state.range; ++i) {
        line.points.push_back({to_double(i), cosine[i] * to_double(state.spec.pairs())});
    }
    panel.marks.emplace_back(std::move(line));
}

}  // namespace

plot::Panel probability_panel(const DecayState& state) {
    const DecayState::Measured& measured = *state.measured;
    const auto& heads = measured.by_distance.probability;
    double highest = 0;
    for (const std::vector<double>& head : heads) {
        highest = std::max(highest, *std::ranges::max_element(head));
    }
    plot::Panel panel{
        .id = "probability",
        .title = "measured: probability by distance",
        .corners = {.top_right = heads.empty() ? "the text is too long"
                                               : fmt::format("{} heads", std::ssize(heads))},
        .x = distance_axis(state, true),
        .y = {.max = highest > 0 ? 1.1 * highest : 1}};
    const auto add = [&](const std::vector<double>& head, Role role, double width) {
        plot::Line line{.points = {}, .role = role, .width = width};
        for (Index i = state.logarithmic ? 1 : 0; i < std::ssize(head) && i <= state.range; ++i) {
            line.points.push_back({to_double(i), head[i]});
        }
        panel.marks.emplace_back(std::move(line));
    };
    for (const std::vector<double>& head : heads) {
        add(head, Role::faint, 0.6);
    }
    if (!heads.empty()) {
        add(heads[measured.at.layer * measured.heads + measured.at.head], Role::query, 1.4);
    }
    return panel;
}

std::string rises_text(const DecayState& state, const Rises& rises) {
    return fmt::format("rises on {} of {}", whole_text(rises.rising),
                       counted(rises.steps, state.counted ? "step" : "drawn step"));
}

plot::Panel bound_panel(const DecayState& state) {
    const double highest = *std::ranges::max_element(state.curves.upper_bound);
    plot::Panel panel{.id = "bound",
                      .title = "upper bound (1/P) Σ |S_{j}|",
                      .corners = {.top_right = panel_rises_text(state, state.bound_rises)},
                      .x = distance_axis(state, false),
                      .y = {.min = -0.16 * highest, .max = 1.12 * highest}};
    add_curve(panel.marks, points_of(state, state.curves.upper_bound), state.tolerance);
    if (state.counted && state.bound_rises.lowest_at > 0) {
        const Rises& rises = state.bound_rises;
        add_place(panel, {to_double(rises.lowest_at), rises.lowest},
                  fmt::format("lowest {} at {}", fixed_text(rises.lowest, 2),
                              whole_text(rises.lowest_at)),
                  false);
    }
    return panel;
}

plot::Panel score_panel(const DecayState& state) {
    const double pairs = to_double(state.spec.pairs());
    double lowest = *std::ranges::min_element(state.curves.cosine_sum);
    for (const double low : state.random.low) {
        lowest = std::min(lowest, low);
    }
    double highest = pairs;
    if (state.measured) {
        const auto& cosine = state.measured->by_distance.cosine;
        lowest = std::min(lowest, pairs * *std::ranges::min_element(cosine));
    }
    for (const double high : state.random.high) {
        highest = std::max(highest, high);
    }
    const double margin = 0.08 * (highest - std::min(0.0, lowest));
    plot::Panel panel{.id = "score",
                      .title = "q · k of unit pairs",
                      .corners = {.top_right = panel_rises_text(state, state.cosine_rises)},
                      .x = distance_axis(state, true),
                      .y = {.min = std::min(0.0, lowest) - margin, .max = highest + 2 * margin},
                      .row = 1};
    panel.marks.emplace_back(
        plot::Rule{.vertical = false, .at = 0, .role = Role::line, .dashed = false});
    add_random(panel, state);
    if (state.measured) {
        add_measured(panel, state);
    }
    add_curve(panel.marks, points_of(state, state.curves.cosine_sum), state.tolerance);
    if (state.below_zero > 0) {
        add_place(panel, {to_double(state.below_zero), 0},
                  "below zero at " + whole_text(state.below_zero), true);
    }
    return panel;
}

}  // namespace ropescope::figures
