// Draws how differently the pairs of two models turn.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <string>
#include <utility>

#include "app/figures/difference/difference.h"

namespace ropescope::figures {
namespace {

using plot::Role;

/// The layers that are drawn: those that differ first, else the first that turn.
const diff::LayersDifference* drawn_layers(const diff::ModelDifference& difference) {
    const diff::LayersDifference* drawn = nullptr;
    for (const diff::LayersDifference& each : difference.layers) {
        if (!each.speeds.a.empty() &&
            (drawn == nullptr || (!drawn->frequencies && each.frequencies))) {
            drawn = &each;
        }
    }
    return drawn;
}

plot::Axis pair_axis(const diff::BothSpeeds& speeds) {
    const auto pairs = std::max(std::ssize(speeds.a), std::ssize(speeds.b));
    return {
        .label = "pair", .min = -0.5, .max = static_cast<double>(pairs) - 0.5, .integers = true};
}

/// The whole decades around numbers above 0; `around` is among them.
void fit_decades_around(plot::Axis& axis, const std::vector<plot::Point>& points, double around) {
    double low = around, high = around;
    for (const plot::Point& point : points) {
        low = std::min(low, point.y);
        high = std::max(high, point.y);
    }
    axis.scale = plot::AxisScale::log10;
    axis.min = std::pow(10.0, std::floor(std::log10(low) - 0.05));
    axis.max = std::pow(10.0, std::ceil(std::log10(high) + 0.05));
}

std::vector<plot::Point> above_zero(const std::vector<double>& speeds) {
    std::vector<plot::Point> points;
    for (std::size_t pair = 0; pair < speeds.size(); ++pair) {
        if (speeds[pair] > 0.0) {
            points.push_back({static_cast<double>(pair), speeds[pair]});
        }
    }
    return points;
}

plot::Panel both_speeds_panel(const diff::BothSpeeds& speeds) {
    plot::Panel panel{.id = "speeds", .title = "speed of each pair in A and in B"};
    panel.x = pair_axis(speeds);
    panel.y = {.label = "θ (radians per position)"};
    const std::vector<plot::Point> a = above_zero(speeds.a), b = above_zero(speeds.b);
    std::vector<plot::Point> all = a;
    all.insert(all.end(), b.begin(), b.end());
    fit_decades_around(panel.y, all, 1.0);
    panel.marks.emplace_back(
        plot::Points{.points = a, .role = Role::first, .radius_px = 4.5, .ring = true});
    panel.marks.emplace_back(plot::Points{.points = b, .role = Role::second, .radius_px = 2.2});
    return panel;
}

/// Of each pair that turns in A: how much faster it turns in B.
std::vector<plot::Point> ratios_of(const diff::BothSpeeds& speeds) {
    std::vector<plot::Point> ratios;
    for (std::size_t pair = 0; pair < std::min(speeds.a.size(), speeds.b.size()); ++pair) {
        if (speeds.a[pair] > 0.0) {
            ratios.push_back({static_cast<double>(pair), speeds.b[pair] / speeds.a[pair]});
        }
    }
    return ratios;
}

plot::Panel speed_ratio_panel(const diff::BothSpeeds& speeds) {
    plot::Panel panel{.id = "ratio", .title = "speed in B over speed in A", .row = 1};
    const std::vector<plot::Point> ratios = ratios_of(speeds);
    panel.x = pair_axis(speeds);
    panel.y = {.label = "B / A"};
    double low = 1.0, high = 1.0;
    for (const plot::Point& ratio : ratios) {
        low = std::min(low, ratio.y);
        high = std::max(high, ratio.y);
    }
    if (low > 0.0 && high > 10.0 * low) {
        fit_decades_around(panel.y, ratios, 1.0);
    } else {
        const double margin = std::max(0.01, 0.1 * (high - low));
        panel.y.min = low - margin;
        panel.y.max = high + margin;
    }
    panel.marks.emplace_back(plot::Rule{.vertical = false, .at = 1.0});
    panel.marks.emplace_back(plot::Points{.points = ratios, .role = Role::second});
    return panel;
}

/// Of each pair that differs: the position at which its two angles are a radian apart.
std::vector<plot::Point> radians_of(const diff::BothSpeeds& speeds) {
    std::vector<plot::Point> positions;
    for (std::size_t pair = 0; pair < std::min(speeds.a.size(), speeds.b.size()); ++pair) {
        if (!diff::same_speed(speeds.a[pair], speeds.b[pair])) {
            const double apart = std::abs(speeds.a[pair] - speeds.b[pair]);
            positions.push_back({static_cast<double>(pair), 1.0 / apart});
        }
    }
    return positions;
}

plot::Panel radian_panel(const diff::BothSpeeds& speeds) {
    plot::Panel panel{.id = "radian", .title = "where the angles are a radian apart", .row = 2};
    const std::vector<plot::Point> positions = radians_of(speeds);
    panel.x = pair_axis(speeds);
    panel.y = {.label = "position"};
    const double context = to_double(speeds.position) + 1.0;
    if (positions.empty()) {
        panel.x = {.visible = false};
        panel.y = {.visible = false};
        panel.marks.emplace_back(plot::Label{.at = {0.5, 0.5},
                                             .text = "All pairs turn at the same speed.",
                                             .role = Role::dim,
                                             .anchor_x = 0.5,
                                             .anchor_y = 0.5});
        return panel;
    }
    fit_decades_around(panel.y, positions, context);
    panel.marks.emplace_back(
        plot::Rule{.vertical = false,
                   .at = context,
                   .label = plot::say("{} positions, the shorter context", speeds.position + 1)});
    panel.marks.emplace_back(plot::Points{.points = positions, .role = Role::wrong});
    return panel;
}

plot::DataTable speeds_data(const diff::BothSpeeds& speeds) {
    const std::size_t pairs = std::max(speeds.a.size(), speeds.b.size());
    std::vector<double> a = speeds.a, b = speeds.b, ratio;
    a.resize(pairs, std::numeric_limits<double>::quiet_NaN());
    b.resize(pairs, std::numeric_limits<double>::quiet_NaN());
    std::vector<std::int64_t> numbers;
    for (std::size_t pair = 0; pair < pairs; ++pair) {
        numbers.push_back(static_cast<std::int64_t>(pair));
        ratio.push_back(b[pair] / a[pair]);
    }
    return {{{"pair", std::move(numbers)},
             {"a_rad", std::move(a)},
             {"b_rad", std::move(b)},
             {"b_over_a", std::move(ratio)}}};
}

}  // namespace

plot::Figure difference_figure(const diff::ModelDifference& difference) {
    using Kind = plot::LegendEntry::Kind;
    const diff::LayersDifference* const layers = drawn_layers(difference);
    plot::Text subtitle = plot::say("A is {} and B is {}. ", difference.a, difference.b);
    if (layers != nullptr && difference.layers.size() > 1) {
        subtitle += plot::say("The panels show {}.", layers->name);
    }
    plot::Figure figure = titled_difference(report_of(difference), std::move(subtitle));
    if (layers == nullptr) {
        plot::Panel panel{.id = "speeds"};
        panel.x.visible = panel.y.visible = false;
        panel.marks.emplace_back(plot::Label{.at = {0.5, 0.5},
                                             .text = "One of the two turns nothing.",
                                             .role = Role::dim,
                                             .anchor_x = 0.5,
                                             .anchor_y = 0.5});
        figure.panels.push_back(std::move(panel));
        figure.row_weights = {1.0};
        return figure;
    }
    figure.legend = {{"A", Role::first, Kind::ring}, {"B", Role::second, Kind::point}};
    figure.panels = {both_speeds_panel(layers->speeds), speed_ratio_panel(layers->speeds),
                     radian_panel(layers->speeds)};
    figure.row_weights = {1.0, 0.8, 0.8};
    figure.data = speeds_data(layers->speeds);
    return figure;
}

}  // namespace ropescope::figures
