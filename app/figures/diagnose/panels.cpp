// Draws what was recovered beside what was expected.
#include "app/figures/diagnose/panels.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "app/figures/text.h"

namespace ropescope::figures {
namespace {

using diagnosis::Explanation;
using plot::Role;

Role role_of(const Explanation& side) {
    return side.side == diagnosis::Side::k ? Role::key : Role::query;
}

/// An empty panel says why it is empty.
void say(plot::Panel& panel, const std::string& text) {
    panel.x = {.visible = false};
    panel.y = {.visible = false};
    panel.marks.emplace_back(plot::Label{.at = {0.5, 0.5},
                                         .text = text,
                                         .role = Role::dim,
                                         .anchor_x = 0.5,
                                         .anchor_y = 0.5,
                                         .width = 0.96,
                                         .smallest = 0.7});
}

/// The powers of ten around the numbers of these marks.
void fit_decades(plot::Axis& axis, const std::vector<double>& values) {
    double low = 1.0, high = 1.0;
    for (const double value : values) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    axis.min = std::pow(10.0, std::floor(std::log10(low) - 0.05));
    axis.max = std::pow(10.0, std::ceil(std::log10(high) + 0.05));
}

plot::Points measured_speeds(const Explanation& side, std::vector<double>& values) {
    const bool keys = side.side == diagnosis::Side::k;
    plot::Points points{
        .points = {}, .role = role_of(side), .radius_px = keys ? 4.5 : 2.5, .ring = keys};
    for (Index pair = 0; pair < side.turns.pairs; ++pair) {
        const double speed = std::abs(DiagnoseState::speed_rad(side, pair));
        if (speed > 0) {
            points.points.push_back({to_double(pair), speed});
            values.push_back(speed);
        }
    }
    return points;
}

/// A line from each run of tokens to the next.
void add_rows(plot::Panel& panel, const Explanation& side) {
    constexpr Index kMostNamed = 8;
    if (side.turns.rows > kMostNamed) {
        return;
    }
    for (Index row = 1; row < side.turns.rows; ++row) {
        panel.marks.emplace_back(
            plot::Rule{.at = to_double(row * side.turns.length) - 0.5, .role = Role::dim});
    }
}

plot::Axis token_axis(const Explanation& side) {
    return {.label = side.turns.rows > 1 ? "token, sequence after sequence" : "token",
            .min = -0.5,
            .max = to_double(DiagnoseState::tokens(side)) - 0.5,
            .integers = true};
}

}  // namespace

std::vector<Index> drawn_tokens(const Explanation& side) {
    constexpr Index kMost = 1024;
    return evenly_chosen(DiagnoseState::tokens(side), kMost);
}

plot::Panel speeds_panel(const DiagnoseState& state) {
    plot::Panel panel{.id = "spectrum", .title = "speed of each pair"};
    std::vector<double> values;
    plot::Line wanted{.points = {}, .role = Role::text, .width = 0.8};
    for (Index pair = 0; pair < std::ssize(state.expected_inv_freq_rad); ++pair) {
        if (state.expected_inv_freq_rad[pair] > 0) {
            wanted.points.push_back({to_double(pair), state.expected_inv_freq_rad[pair]});
            values.push_back(state.expected_inv_freq_rad[pair]);
        }
    }
    std::vector<plot::Points> measured;
    for (const Explanation& side : state.analysis.sides) {
        if (DiagnoseState::has_angles(side)) {
            measured.push_back(measured_speeds(side, values));
        }
    }
    if (values.empty()) {
        say(panel, "No speed is known.");
        return panel;
    }
    panel.x = {
        .label = "pair", .min = -0.5, .max = to_double(state.pairs()) - 0.5, .integers = true};
    panel.y = {.label = "|θ| (radians per position)", .scale = plot::AxisScale::log10};
    fit_decades(panel.y, values);
    if (!wanted.points.empty()) {
        panel.marks.emplace_back(std::move(wanted));
    }
    // Rings first, so that the points of q lie in them.
    for (auto points = measured.rbegin(); points != measured.rend(); ++points) {
        panel.marks.emplace_back(std::move(*points));
    }
    return panel;
}

plot::Panel pairing_panel(const DiagnoseState& state) {
    plot::Panel panel{.id = "pairing", .title = "channels that turn together", .column = 1};
    const bool any = std::ranges::any_of(state.analysis.sides, [](const Explanation& side) {
        return !side.pairing.rotated.empty();
    });
    if (!any) {
        say(panel, "No pairing keeps the lengths of the channels.");
        return panel;
    }
    const auto axis = [&](std::string label) {
        return plot::Axis{.label = std::move(label),
                          .min = -1,
                          .max = to_double(state.channels()),
                          .integers = true};
    };
    panel.x = axis("channel");
    panel.y = axis("its partner");
    const auto add = [&](const std::vector<ChannelPair>& pairs, plot::Points points) {
        for (const ChannelPair& pair : pairs) {
            points.points.push_back({to_double(pair.first), to_double(pair.second)});
            points.points.push_back({to_double(pair.second), to_double(pair.first)});
        }
        panel.marks.emplace_back(std::move(points));
    };
    if (state.expected) {
        add(channel_pairs(state.expected->layout, state.expected->rotary_dim),
            {.points = {}, .role = Role::dim, .radius_px = 4.5, .ring = true});
    }
    for (const Explanation& side : state.analysis.sides) {
        const bool keys = side.side == diagnosis::Side::k;
        add(side.pairing.rotated,
            {.points = {}, .role = role_of(side), .radius_px = keys ? 2.6 : 1.6});
    }
    // The points of q are the smaller ones and lie on top.
    if (panel.marks.size() >= 2 && state.analysis.sides.size() == 2) {
        std::swap(panel.marks[panel.marks.size() - 1], panel.marks[panel.marks.size() - 2]);
    }
    return panel;
}

plot::Panel distance_panel(const DiagnoseState& state) {
    plot::Panel panel{.id = "distance", .row = 1};
    const Explanation* side = state.shown();
    if (side == nullptr || side->axis_map) {
        panel.title = "distance of the angles";
        say(panel, side == nullptr ? "No angle is known." : "The positions have several axes.");
        return panel;
    }
    panel.title = fmt::format("angles of {}: distance from the {} ones", to_string(side->side),
                              state.expected ? "expected" : "explained");
    const std::vector<Index> tokens = drawn_tokens(*side);
    constexpr double kLeast = 1e-8;
    plot::HeatMap map{.columns = std::ssize(tokens),
                      .rows = side->turns.pairs,
                      .x0 = -0.5,
                      .y0 = -0.5,
                      .dx = to_double(DiagnoseState::tokens(*side)) / to_double(std::ssize(tokens)),
                      .min = std::log10(kLeast),
                      .max = std::log10(std::numbers::pi),
                      .label = "log_{10} of the distance (radians)"};
    for (Index pair = 0; pair < map.rows; ++pair) {
        for (const Index token : tokens) {
            const double distance = state.distance_rad(*side, token, pair);
            map.values.push_back(static_cast<float>(
                std::isnan(distance) ? distance : std::log10(std::max(distance, kLeast))));
        }
    }
    panel.x = token_axis(*side);
    panel.y = {
        .label = "pair", .min = -0.5, .max = to_double(side->turns.pairs) - 0.5, .integers = true};
    panel.color_bar = true;
    panel.marks.emplace_back(std::move(map));
    add_rows(panel, *side);
    return panel;
}

plot::Panel moved_panel(const DiagnoseState& state) {
    plot::Panel panel{
        .id = "positions", .title = "found position minus stated position", .row = 1, .column = 1};
    double low = -1.0, high = 1.0;
    std::vector<plot::Points> all;
    const Explanation* axis_of = nullptr;
    for (const Explanation& side : state.analysis.sides) {
        if (side.places.position.empty()) {
            continue;
        }
        axis_of = axis_of == nullptr ? &side : axis_of;
        const bool keys = side.side == diagnosis::Side::k;
        plot::Points points{
            .points = {}, .role = role_of(side), .radius_px = keys ? 4.0 : 2.0, .ring = keys};
        for (const Index token : drawn_tokens(side)) {
            const double moved = DiagnoseState::moved(side, token);
            if (std::isfinite(moved)) {
                points.points.push_back({to_double(token), moved});
                low = std::min(low, moved);
                high = std::max(high, moved);
            }
        }
        all.push_back(std::move(points));
    }
    if (axis_of == nullptr) {
        say(panel, "No position is known.");
        return panel;
    }
    const double margin = 0.08 * (high - low);
    panel.x = token_axis(*axis_of);
    panel.y = {.label = "positions", .min = low - margin, .max = high + margin, .signs = true};
    for (auto points = all.rbegin(); points != all.rend(); ++points) {
        panel.marks.emplace_back(std::move(*points));
    }
    add_rows(panel, *axis_of);
    return panel;
}

std::vector<plot::LegendEntry> diagnose_legend(const DiagnoseState& state) {
    using Kind = plot::LegendEntry::Kind;
    std::vector<plot::LegendEntry> legend;
    for (const Explanation& side : state.analysis.sides) {
        legend.push_back({std::string(to_string(side.side)), role_of(side), Kind::point});
    }
    if (state.expected) {
        legend.push_back({"expected", Role::text, Kind::line});
    }
    return legend;
}

}  // namespace ropescope::figures
