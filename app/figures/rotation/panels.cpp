// Draws the pairs' planes and the score curve of the rotation view.
#include "app/figures/rotation/panels.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "app/figures/text.h"
#include "app/plot/number_text.h"

namespace ropescope::figures {
namespace {

using plot::Point;
using plot::Role;

constexpr double kReach = 1.2;  ///< of a pair's plane, in radii

/// The dots of the earlier positions, fading with age, and the arrow. Its label goes to `tip_rad`
/// if the tip itself stays in the engine's memory. `pair` counts the shown pairs.
void add_arrow(std::vector<plot::Mark>& marks, const Trail& trail, Index pair, double tip_rad,
               Role role, const char* name) {
    const Index last = trail.points.rows - 1;
    const bool live = trail.values.values.empty();
    plot::Points dots{.role = role, .radius_px = 2.2, .opacity = 0.65, .opacity_first = 0.08};
    plot::Vector arrow{.role = role, .label = name};
    if (live) {
        dots.live = trail.live(0, pair, last);
        arrow.live_to = trail.live(last, pair, 1);
        arrow.to = {std::cos(tip_rad), std::sin(tip_rad)};
    } else {
        for (Index row = 0; row < last; ++row) {
            dots.points.push_back(trail.at(row, pair));
        }
        arrow.to = trail.at(last, pair);
    }
    if (last > 0) {
        marks.emplace_back(std::move(dots));
    }
    marks.emplace_back(std::move(arrow));
}

std::vector<plot::Mark> plane_marks(const RotationState& state, Index pair) {
    const auto cross = [](Point from, Point to) {
        return plot::Line{.points = {from, to}, .role = Role::grid, .width = 0.5};
    };
    std::vector<plot::Mark> marks;
    marks.emplace_back(cross({-1.1, 0}, {1.1, 0}));
    marks.emplace_back(cross({0, -1.1}, {0, 1.1}));
    marks.emplace_back(plot::Arc{.center = {}, .role = Role::line});
    const double first = std::remainder(state.q_rad(pair), 2 * std::numbers::pi);
    marks.emplace_back(plot::Arc{.center = {},
                                 .radius = 0.4,
                                 .first_rad = first,
                                 .last_rad = first + state.between_rad(pair),
                                 .role = Role::dim,
                                 .width = 0.75});
    return marks;
}

/// Along an axis most pairs stand still, whose wavelength and speed say nothing.
plot::CornerTexts corner_texts(const RotationState& state, Index pair) {
    if (state.inv_freq(pair) == 0.0) {
        return {.top_left = fmt::format("pair {}", pair),
                .top_right = "stands still",
                .bottom_left = "θ 0"};
    }
    const double turned_rad = to_double(state.delta()) * state.inv_freq(pair);
    return {.top_left = fmt::format("pair {}", pair),
            .top_right = "λ " + plot::number_text(state.spectrum.wavelength_positions(pair)),
            .bottom_left = "θ " + plot::number_text(state.inv_freq(pair)),
            .bottom_right = fmt::format("(n−m)θ {}", std::abs(turned_rad) < 1e4
                                                         ? small_text(turned_rad, 2)
                                                         : plot::number_text(turned_rad))};
}

/// Where the text beside the ring stands: on the side away from the peak at 0, and above or below
/// the curve; above all of it if the curve leaves no room.
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

std::vector<plot::Panel> pair_panels(const RotationState& state, const Trails& trails) {
    const plot::Axis plane{.min = -kReach, .max = kReach, .visible = false};
    std::vector<plot::Panel> panels;
    for (const Index pair : state.shown) {
        const int at = narrow<int>(std::ssize(panels));
        plot::Panel panel{.id = fmt::format("pair.{}", pair),
                          .corners = corner_texts(state, pair),
                          .x = plane,
                          .y = plane,
                          .equal_aspect = true,
                          .selected = pair == state.selected,
                          .marks = plane_marks(state, pair)};
        add_arrow(panel.marks, trails.k, at, state.k_rad(pair), Role::key, "k");
        add_arrow(panel.marks, trails.q, at, state.q_rad(pair), Role::query, "q");
        panels.push_back(std::move(panel));
    }
    return panels;
}

plot::Figure turned_on(plot::Figure figure, const RotationState& state, double positions) {
    for (std::size_t i = 0; i < state.shown.size(); ++i) {
        const double by_rad = positions * state.inv_freq(state.shown[i]);
        for (plot::Mark& mark : figure.panels[i].marks) {
            if (auto* arrow = std::get_if<plot::Vector>(&mark)) {
                const double cos = std::cos(by_rad), sin = std::sin(by_rad);
                const Point to = arrow->to;
                arrow->live_to = {};  // the engine has it at whole positions
                arrow->to = {to.x * cos - to.y * sin, to.y * cos + to.x * sin};
            } else if (auto* arc = std::get_if<plot::Arc>(&mark)) {
                arc->first_rad += by_rad;
                arc->last_rad += by_rad;
            }
        }
    }
    return figure;
}

plot::Panel score_panel(const RotationState& state) {
    const double at = to_double(state.delta()), end = state.range;
    const double score = state.score(state.delta());
    const double lowest = std::min(0.0, std::ranges::min(state.curve, {}, &Point::y).y);
    const LabelPlace place = label_place(state.curve, at, end);

    plot::Panel panel{
        .id = "score",
        .title = "score against distance n − m",
        .corners = {.top_right = fmt::format("mean cosine between q and k, {}",
                                             counted(state.spec.pairs(), "pair"))},
        .x = {.label =
                  state.step > 1 ? fmt::format("sampled every {:.0f} positions", state.step) : "",
              .min = -end,
              .max = end,
              .integers = true,
              .signs = true},
        .y = {.min = lowest - 0.05, .max = place.y == kAboveAll ? 1.5 : 1.1},
        .row = 1};
    panel.marks = {
        plot::Rule{.at = at, .role = Role::dim},
        plot::Line{.points = state.curve, .role = Role::text, .width = 0.9},
        plot::Points{.points = {{at, score}}, .role = Role::query, .radius_px = 5, .ring = true},
        plot::Label{.at = {at + (place.left ? -0.012 : 0.012) * end, place.y},
                    .text = "n − m = " + whole_text(state.delta()) + " → " + fixed_text(score, 3),
                    .anchor_x = place.left ? 1.0 : 0.0,
                    .anchor_y = place.anchor_y,
                    .mono = true,
                    .may_move = true}};
    return panel;
}

}  // namespace ropescope::figures
