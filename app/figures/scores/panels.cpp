// Draws the panels of the scores view.
#include "app/figures/scores/panels.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>

#include "app/figures/text.h"

namespace ropescope::figures {
namespace {

using plot::Point;
using plot::Role;

constexpr int kMostStems = 256;           ///< pairs that are drawn with stems
constexpr double kSmallestShown = 1e-13;  ///< of the largest singular value; below is rounding
constexpr double kDot = 3.2;

/// The score, or a part of it, over all drawn distances.
template <typename Part>
std::vector<Point> curve(const ScoresState& state, Part part) {
    std::vector<Point> points;
    for (Index i = -state.half(); i <= state.half(); ++i) {
        points.push_back({to_double(i) * state.step, std::invoke(part, state.curve_at(i))});
    }
    return points;
}

/// One part of every pair: a stem from zero and a dot.
void add_parts(std::vector<plot::Mark>& marks, const ScoresState& state, double PairShare::*part,
               Role role, double offset) {
    plot::Points dots{.points = {}, .role = role, .radius_px = 2.6};
    for (Index i = 0; i < std::ssize(state.shares); ++i) {
        const Point at{to_double(i) + offset, state.shares[i].*part};
        dots.points.push_back(at);
        if (state.spec.pairs() <= kMostStems) {
            marks.emplace_back(plot::Line{.points = {{at.x, 0}, at}, .role = role, .width = 0.8});
        }
    }
    marks.emplace_back(std::move(dots));
}

plot::Points singular_points(const std::vector<double>& values, Role role, double radius) {
    plot::Points points{.points = {}, .role = role, .radius_px = radius, .ring = radius > kDot};
    for (Index i = 0; i < std::ssize(values); ++i) {
        const double share = values[i] / values.front();
        if (share > kSmallestShown) {
            points.points.push_back({to_double(i) + 1, share});
        }
    }
    return points;
}

}  // namespace

plot::Panel parts_panel(const ScoresState& state) {
    std::vector<Point> total = curve(state, &PairShare::sum);
    std::vector<Point> cos_part = curve(state, &PairShare::cos_part);
    std::vector<Point> sin_part = curve(state, &PairShare::sin_part);
    double lowest = 0, highest = 1;
    for (const auto* points : {&total, &cos_part, &sin_part}) {
        for (const Point& point : *points) {
            lowest = std::min(lowest, point.y);
            highest = std::max(highest, point.y);
        }
    }
    const double end = to_double(state.range);
    plot::Panel panel{.id = "parts",
                      .title = "score against distance n − m",
                      .corners = {.top_right = "mean cosine between q and k"},
                      .x = {.min = -end, .max = end, .integers = true, .signs = true},
                      .y = {.min = lowest - 0.06, .max = highest + 0.1},
                      .column_span = 2};
    const double at = to_double(state.delta);
    panel.marks = {
        plot::Rule{.vertical = false, .at = 0, .role = Role::line, .dashed = false},
        plot::Rule{.at = at, .role = Role::dim},
        plot::Line{
            .points = std::move(cos_part), .role = Role::cos_part, .dash = plot::Dash::long_dash},
        plot::Line{
            .points = std::move(sin_part), .role = Role::sin_part, .dash = plot::Dash::dotted},
        plot::Line{.points = std::move(total), .role = Role::text},
        plot::Points{.points = {{at, state.total.sum()}},
                     .role = Role::query,
                     .radius_px = 5,
                     .ring = true}};
    return panel;
}

plot::Panel shares_panel(const ScoresState& state) {
    double reach = 0;
    for (const PairShare& share : state.shares) {
        reach = std::max({reach, std::abs(share.cos_part), std::abs(share.sin_part)});
    }
    plot::Panel panel{
        .id = "shares",
        .title = fmt::format("pair by pair at n − m = {}", whole_text(state.delta)),
        .corners = {.top_right = fmt::format(
                        "{} of {} {} half of Σ |share|", state.carriers.size(), state.spec.pairs(),
                        agreeing(std::ssize(state.carriers), "makes", "make"))},
        .x = {.label = "pair",
              .min = -0.75,
              .max = to_double(state.spec.pairs()) - 0.25,
              .integers = true},
        .y = {.min = -1.15 * reach - 1e-12, .max = 1.15 * reach + 1e-12},
        .row = 1};
    const double selected = to_double(state.selected);
    panel.marks.emplace_back(
        plot::Rule{.vertical = false, .at = 0, .role = Role::line, .dashed = false});
    panel.marks.emplace_back(
        plot::Band{.first = selected - 0.5, .last = selected + 0.5, .opacity = 0.9});
    add_parts(panel.marks, state, &PairShare::cos_part, Role::cos_part, -0.14);
    add_parts(panel.marks, state, &PairShare::sin_part, Role::sin_part, 0.14);
    return panel;
}

plot::Panel singular_panel(const ScoresState& state) {
    const double last = to_double(std::ssize(state.rope.values));
    plot::Panel panel{
        .id = "singular",
        .title = "terms that a table of scores needs",
        .corners = {.top_right = fmt::format("{} × {}", state.contents, state.distances)},
        .x = {.label = "singular value", .min = 0, .max = last + 1, .integers = true},
        .y = {.label = "over the largest",
              .min = 0.3 * kSmallestShown,
              .max = 10,
              .scale = plot::AxisScale::log10},
        .row = 1,
        .column = 1};
    panel.marks = {singular_points(state.added.values, Role::dim, 2.4 * kDot),
                   singular_points(state.multiplied.values, Role::key, 1.7 * kDot),
                   singular_points(state.rope.values, Role::query, kDot)};
    // Lower left, where only tables of few contents have a point.
    const auto say = [&](double at, const char* name, Index count, Role role) {
        panel.marks.emplace_back(
            plot::Label{.at = {0.06 * last, at},
                        .text = fmt::format("{}: {}", name, counted(count, "term")),
                        .role = role,
                        .anchor_y = 0.5});
    };
    say(1e-7, "RoPE", state.rope.rank, Role::query);
    say(1e-9, "q·k + bias", state.added.rank, Role::dim);
    say(1e-11, "q·k × bias", state.multiplied.rank, Role::key);
    return panel;
}

}  // namespace ropescope::figures
