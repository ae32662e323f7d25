// Draws the panels of the diagnose view that show numbers of pairs, channels and tokens.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "app/figures/diagnose/diagnose.h"
#include "app/figures/shared/text.h"
#include "app/plot/pick.h"
#include "core/rope/layout.h"

namespace ropescope::figures {
namespace {

using diagnosis::Explanation;
using plot::Role;

/// An empty panel says why it is empty.
void leave_empty(plot::Panel& panel, const std::string& text) {
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

/// The tokens that are drawn: all, or evenly chosen ones of a long sequence.
std::vector<Index> drawn_tokens(const Explanation& side) {
    constexpr Index kMost = 1024;
    return evenly_chosen(DiagnoseState::tokens(side), kMost);
}

/// The powers of ten around these numbers, all above 0.
void fit_decades(plot::Axis& axis, const std::vector<double>& values) {
    const auto [low, high] = std::ranges::minmax(values);
    axis.scale = plot::AxisScale::log10;
    axis.min = std::pow(10.0, std::floor(std::log10(std::min(low, 1.0)) - 0.05));
    axis.max = std::pow(10.0, std::ceil(std::log10(std::max(high, 1.0)) + 0.05));
}

/// Around 1, so that a difference of a thousandth is seen; ratios that are far apart need decades.
void fit_ratios(plot::Axis& axis, const std::vector<double>& ratios) {
    constexpr double kMostTimes = 4.0, kLeastMargin = 0.01, kMargin = 0.12;
    const auto [least, most] = std::ranges::minmax(ratios);
    const double low = std::min(1.0, least), high = std::max(1.0, most);
    if (low > 0.0 && high > kMostTimes * low) {
        return fit_decades(axis, ratios);
    }
    const double margin = std::max(kLeastMargin, kMargin * (high - low));
    axis.min = low - margin;
    axis.max = high + margin;
}

plot::Points dots_of(const Explanation& side) {
    const bool keys = side.side == diagnosis::Side::k;
    return {.points = {}, .role = role_of(side.side), .radius_px = keys ? 4.5 : 2.5, .ring = keys};
}

/// Rings first, so that the points of q lie in them.
void add_dots(plot::Panel& panel, std::vector<plot::Points> measured) {
    for (auto points = measured.rbegin(); points != measured.rend(); ++points) {
        panel.marks.emplace_back(std::move(*points));
    }
}

/// How far each ratio may be off, where that is more than its point covers.
void add_errors(plot::Panel& panel, const DiagnoseState& state, const Explanation& side) {
    constexpr double kCovered = 0.02;  // of the axis
    const bool decades = panel.y.scale == plot::AxisScale::log10;
    for (Index pair = 0; pair < side.turns.pairs; ++pair) {
        const auto [value, error] = state.speed_ratio(side, pair);
        if (!decades && error > kCovered * (panel.y.max - panel.y.min)) {
            panel.marks.emplace_back(
                plot::Line{.points = {{to_double(pair), std::max(value - error, panel.y.min)},
                                      {to_double(pair), std::min(value + error, panel.y.max)}},
                           .role = role_of(side.side),
                           .width = 0.6,
                           .opacity = 0.6});
        }
    }
}

/// The ratios of both sides; empty if no speed is known that a pair should have.
plot::Panel ratios_panel(const DiagnoseState& state) {
    plot::Panel panel{.id = "spectrum"};
    panel.title =
        plot::say("speed of each pair over the {} one", state.expected ? "expected" : "explained");
    std::vector<double> values;
    std::vector<plot::Points> measured;
    for (const Explanation& side : state.analysis.sides) {
        plot::Points dots = dots_of(side);
        for (Index pair = 0; DiagnoseState::has_angles(side) && pair < side.turns.pairs; ++pair) {
            if (const double ratio = state.speed_ratio(side, pair).value; std::isfinite(ratio)) {
                dots.points.push_back({to_double(pair), ratio});
                values.push_back(ratio);
            }
        }
        if (!dots.points.empty()) {
            measured.push_back(std::move(dots));
        }
    }
    if (values.empty()) {
        return panel;
    }
    panel.y = {.label = "measured / " + std::string(state.expected ? "expected" : "explained")};
    fit_ratios(panel.y, values);
    panel.marks.emplace_back(
        plot::Line{.points = {{-0.5, 1.0}, {to_double(state.pairs()) - 0.5, 1.0}},
                   .role = Role::text,
                   .width = 0.8});
    for (const Explanation& side : state.analysis.sides) {
        add_errors(panel, state, side);
    }
    add_dots(panel, std::move(measured));
    return panel;
}

/// Without anything to compare with: the speeds themselves.
plot::Panel plain_speeds_panel(const DiagnoseState& state) {
    plot::Panel panel{.id = "spectrum", .title = "speed of each pair"};
    std::vector<double> values;
    std::vector<plot::Points> measured;
    for (const Explanation& side : state.analysis.sides) {
        plot::Points dots = dots_of(side);
        for (Index pair = 0; DiagnoseState::has_angles(side) && pair < side.turns.pairs; ++pair) {
            const double speed = std::abs(DiagnoseState::speed_rad(side, pair));
            if (speed > 0) {
                dots.points.push_back({to_double(pair), speed});
                values.push_back(speed);
            }
        }
        if (!dots.points.empty()) {
            measured.push_back(std::move(dots));
        }
    }
    if (!values.empty()) {
        panel.y = {.label = "|θ| (radians per position)"};
        fit_decades(panel.y, values);
        add_dots(panel, std::move(measured));
    }
    return panel;
}

}  // namespace

plot::Panel speeds_panel(const DiagnoseState& state) {
    plot::Panel panel = ratios_panel(state);
    if (panel.marks.empty()) {
        panel = plain_speeds_panel(state);
    }
    if (panel.marks.empty()) {
        leave_empty(panel, "No speed is known.");
        return panel;
    }
    panel.x = {
        .label = "pair", .min = -0.5, .max = to_double(state.pairs()) - 0.5, .integers = true};
    return panel;
}

plot::Panel pairing_panel(const DiagnoseState& state) {
    plot::Panel panel{.id = "pairing", .title = "channels that turn together", .column = 1};
    const bool any = std::ranges::any_of(state.analysis.sides, [](const Explanation& side) {
        return !side.pairing.rotated.empty();
    });
    if (!any) {
        leave_empty(panel, "No pairing keeps the lengths of the channels.");
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
            {.points = {}, .role = role_of(side.side), .radius_px = keys ? 2.6 : 1.6});
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
        leave_empty(panel,
                    side == nullptr ? "No angle is known." : "The positions have several axes.");
        return panel;
    }
    panel.title = plot::say("angles of {}: distance from the {} ones", to_string(side->side),
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
            .points = {}, .role = role_of(side.side), .radius_px = keys ? 4.0 : 2.0, .ring = keys};
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
        leave_empty(panel, "No position is known.");
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

// Draws where rounding does not explain the tensors: the map of pairs, tokens, rows and heads.
namespace {

constexpr double kNames = 0.42;  ///< how far the names reach to the left, as a share of the lines

/// How many pairs the residual is of.
Index pairs_of(const DiagnoseState& state, const diagnosis::Residual& left) {
    return std::max(state.pairs(), left.pairs.empty() ? 0 : left.pairs.back() + 1);
}

/// Neighbours together, so that a whole row of tokens is one line.
std::vector<diagnosis::Range> runs_of(const std::vector<Index>& numbers) {
    std::vector<diagnosis::Range> runs;
    for (const Index number : numbers) {
        if (!runs.empty() && runs.back().last + 1 == number) {
            runs.back().last = number;
        } else {
            runs.push_back({number, number});
        }
    }
    return runs;
}

/// What is outside from where it begins to where it ends. A single token of thousands is narrower
/// than a pixel, so the middle of each run has a point.
void add_outside(plot::Panel& panel, const Strip& strip, double y) {
    const auto x = [&](Index number) { return to_double(number) / to_double(strip.count); };
    plot::Points middles{.points = {}, .role = Role::wrong, .radius_px = 2.5};
    for (const auto& [first, last] : runs_of(strip.outside)) {
        const double from = x(first), to = x(last + 1);
        middles.points.push_back({(from + to) / 2, y});
        panel.marks.emplace_back(
            plot::Line{.points = {{from, y}, {to, y}}, .role = Role::wrong, .width = 2.5});
    }
    panel.marks.emplace_back(std::move(middles));
}

}  // namespace

std::vector<std::vector<Strip>> strips_of(const DiagnoseState& state) {
    std::vector<std::vector<Strip>> sides;
    for (const diagnosis::Residual& left : state.unexplained()) {
        std::vector<Strip> strips;
        const auto shape = std::ranges::find(state.shapes, left.side, &SideShape::side);
        if (shape == state.shapes.end()) {
            continue;
        }
        const auto add = [&](std::string_view noun, Index count, const std::vector<Index>& which) {
            if (!which.empty() && count > 1) {
                strips.push_back({left.side, noun, count, which});
            }
        };
        add("pair", pairs_of(state, left), left.pairs);
        add("token", shape->tokens, left.tokens);
        add("row", shape->rows, left.rows);
        add("head", shape->heads, left.heads);
        if (!strips.empty()) {
            sides.push_back(std::move(strips));
        }
    }
    return sides;
}

plot::Panel unexplained_panel(const std::vector<Strip>& strips) {
    const diagnosis::Side side = strips.front().side;
    const Index count = std::ssize(strips);
    plot::Panel panel{.id = "unexplained_" + std::string(to_string(side)), .row = 2};
    panel.title = plot::say("where {} is off by more than rounding", to_string(side));
    panel.x = {.min = -kNames, .max = 1.02, .visible = false};
    panel.y = {.min = -0.6, .max = to_double(count) - 0.4, .visible = false};
    for (Index i = 0; i < count; ++i) {
        const Strip& strip = strips[i];
        const double y = to_double(count - 1 - i);
        panel.marks.emplace_back(
            plot::Line{.points = {{0.0, y}, {1.0, y}}, .role = Role::dim, .width = 0.8});
        add_outside(panel, strip, y);
        panel.marks.emplace_back(plot::Label{
            .at = {-kNames + 0.01, y},
            .text = plot::say("{} of {} {}s", std::ssize(strip.outside), strip.count, strip.noun),
            .role = role_of(side),
            .anchor_y = 0.5,
            .width = kNames - 0.03,
            .smallest = 0.7});
    }
    return panel;
}

std::vector<plot::Readout> strip_readouts(const std::vector<Strip>& strips, plot::Point at) {
    const Index count = std::ssize(strips);
    const Strip& strip = strips[count - 1 - plot::pick_index(at.y, count)];  // the first is on top
    const Index number = plot::pick_cell(at.x * to_double(strip.count), strip.count);
    const bool outside = std::ranges::binary_search(strip.outside, number);
    return {{fmt::format("{} of {}", strip.noun, to_string(strip.side)), fmt::format("{}", number)},
            {"within rounding", outside ? "no" : "yes"}};
}

}  // namespace ropescope::figures
