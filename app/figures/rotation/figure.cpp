// Puts the rotation view together: its words, its panels, the values under the cursor and clicks.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "app/figures/rotation/rotation.h"
#include "app/figures/shared/describe.h"
#include "app/figures/shared/text.h"
#include "app/plot/number_text.h"
#include "app/plot/pick.h"
#include "app/scene/scene_scaling.h"

namespace ropescope::figures {
namespace {

using plot::Point;
using plot::Role;
using plot::say;

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
        return {.top_left = say("pair {}", pair),
                .top_right = "stands still",
                .bottom_left = say("θ {}", 0)};
    }
    const double turned_rad = to_double(state.delta()) * state.inv_freq(pair);
    return {.top_left = say("pair {}", pair),
            .top_right = say("λ {}", plot::number_text(state.spectrum.wavelength_positions(pair))),
            .bottom_left = say("θ {}", plot::number_text(state.inv_freq(pair))),
            .bottom_right =
                say("(n−m)θ {}", std::abs(turned_rad) < 1e4 ? small_text(turned_rad, 2)
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

/// A square panel "pair.<i>" for each shown pair, in reading order, in one cell of the grid.
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

/// The figure with the arrows and arcs of its planes `positions` further on, by their own angles.
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

/// The wide panel "score" below them.
plot::Panel score_panel(const RotationState& state) {
    const double at = to_double(state.delta()), end = state.range;
    const double score = state.score(state.delta());
    const double lowest = std::min(0.0, std::ranges::min(state.curve, {}, &Point::y).y);
    const LabelPlace place = label_place(state.curve, at, end);

    plot::Panel panel{
        .id = "score",
        .title = "score against distance n − m",
        .corners = {.top_right = say("mean cosine between q and k, {}",
                                     counted(state.spec.pairs(), "pair"))},
        .x = {.label = state.step > 1 ? say("sampled every {} positions", fixed_text(state.step, 0))
                                      : plot::Text(),
              .min = -end,
              .max = end,
              .integers = true,
              .signs = true},
        .y = {.min = lowest - 0.05, .max = place.y == kAboveAll ? 1.5 : 1.1},
        .row = 1};
    panel.marks = {
        plot::Rule{.at = at, .role = Role::dim, .of_selection = true},
        plot::Line{.points = state.curve, .role = Role::text, .width = 0.9},
        plot::Points{.points = {{at, score}},
                     .role = Role::accent,
                     .radius_px = 5,
                     .ring = true,
                     .of_selection = true},
        plot::Label{.at = {at + (place.left ? -0.012 : 0.012) * end, place.y},
                    .text = say("n − m = {} → {}", whole_text(state.delta()), fixed_text(score, 3)),
                    .anchor_x = place.left ? 1.0 : 0.0,
                    .anchor_y = place.anchor_y,
                    .mono = true,
                    .may_move = true,
                    .of_selection = true}};
    return panel;
}

plot::Text speeds_text(const RotationState& state) {
    if (state.along) {
        return say("{} of {} {} {}", state.along->turning, counted(state.spec.pairs(), "pair"),
                   agreeing(state.along->turning, "turns", "turn"), state.along->words());
    }
    if (state.spec.pairs() == 1) {
        return say("The pair turns with the position");
    }
    const Index speeds = different_speeds(state.spectrum);
    if (speeds == 1) {
        return say("All pairs turn at one speed");
    }
    return speeds < state.spec.pairs() ? say("The pairs turn at {} speeds", speeds)
                                       : say("Each pair turns at its own speed");
}

plot::Text title(const RotationState& state) {
    return speeds_text(state) + "; " + say("only the distance n − m is left in the score");
}

plot::Text subtitle(const RotationState& state) {
    const Index shown = std::ssize(state.shown);
    const plot::Text pairs = shown == state.spec.pairs()
                                 ? (shown == 1 ? say("the only pair") : say("all {} pairs", shown))
                                 : say("{} of {}", shown, counted(state.spec.pairs(), "pair"));
    return say("query at position m = {}, key at position n = {}, {}. Dots: earlier positions.",
               whole_text(state.m), whole_text(state.n), pairs);
}

/// Its panels stand in it already.
void describe(plot::Figure& figure, const RotationState& state, bool live) {
    using Kind = plot::LegendEntry::Kind;
    figure.view = "rotation";
    figure.title = title(state);
    figure.subtitle =
        subtitle(state) + score_gain_text(state.spectrum) + along_sentence(state.along);
    figure.legend = {{"q at m", plot::Role::query, Kind::arrow},
                     {"k at n", plot::Role::key, Kind::arrow}};
    figure.row_weights = {1.0, state.shown.size() < 4 ? 0.5 : 0.31};
    figure.column_weights = {1.0};
    if (!live) {
        figure.data = rotation_data(state, figure.panels);
        figure.report = report_head(figure, state.spec, state.along) + rotation_report(state);
    }
}

std::vector<plot::Readout> pair_readouts(const RotationState& state, Index pair) {
    const double content = state.content.q_rad[pair];
    const double q = state.q_rad(pair), k = state.k_rad(pair);
    std::vector<plot::Readout> readouts =
        describe_pair(state.spec, state.spectrum, state.along, pair);
    readouts.push_back({"q before", point_text(std::cos(content), std::sin(content))});
    readouts.push_back({"q at m", point_text(std::cos(q), std::sin(q))});
    readouts.push_back({"k at n", point_text(std::cos(k), std::sin(k))});
    readouts.push_back({"angle q to k", small_text(state.between_rad(pair), 3) + " rad"});
    readouts.push_back({"its part of the score", signed_text(state.part(pair, state.delta()), 4)});
    return readouts;
}

std::vector<plot::Readout> score_readouts(const RotationState& state, plot::Point at) {
    const Index distance = plot::pick_whole(at.x, -kMaxPosition, kMaxPosition);
    const double score = state.score(distance);
    return {{"distance n − m", whole_text(distance)},
            {"score", fixed_text(score, 4)},
            {"q·k / √head_dim", fixed_text(state.logit(score), 4)},
            {fmt::format("part of pair {}", state.selected),
             signed_text(state.part(state.selected, distance), 4)}};
}

/// A plane selects its pair.
Answers pair_answers(const std::shared_ptr<const RotationState>& state, Index pair) {
    return {state, [pair](const RotationState& of, plot::Point) { return pair_readouts(of, pair); },
            [pair](const RotationState&, Scene scene, plot::Point) {
                scene.selected_pair = pair;
                return scene;
            }};
}

/// A distance moves the key there.
Scene move_key(const RotationState&, const Scene& scene, plot::Point at) {
    return with_key_at_distance(scene, at.x);
}

Picture make(const Scene& scene, Engine& engine, const Work& work) {
    const auto state = std::make_shared<const RotationState>(make_rotation_state(scene, engine));
    const std::unique_ptr<TensorOps> ops = engine.tensor_ops();
    const bool live = work.draws_from(engine);
    Picture picture;
    std::vector<plot::Panel> planes = pair_panels(*state, make_trails(*state, *ops, live));
    for (std::size_t i = 0; i < planes.size(); ++i) {
        picture.add(std::move(planes[i]), pair_answers(state, state->shown[i]));
    }
    picture.add(score_panel(*state), {state, score_readouts, move_key});
    describe(picture.figure, *state, live);
    picture.between = [state, figure = picture.figure](double fraction) {
        return turned_on(figure, *state, fraction);
    };
    return picture;
}

}  // namespace

View rotation_view() {
    return {
        .id = "rotation",
        .key = '1',
        .name = "Rotation",
        .group = "One pair, many speeds",
        .question = "Why does only the distance matter?",
        .parameters = with_scaling_parameters(
            {"query_position", "key_position", "head_dim", "rotary_dim", "base", "layout", "pairs",
             "selected_pair", "content_angle_deg", "content_seed", "distance_range", "axis"}),
        .also_read = {"axes_model", "axes_part", "axes_head"},
        .make = make,
        .what_you_see =
            "Two channels of a head make a plane. A position turns q and k in it by position × θ: "
            "the first pairs turn fast, the last slowly. The arc between q and k is the angle of "
            "their contents plus (n − m)θ; the score is the mean of its cosine over all pairs.",
        .what_to_try =
            "Move both positions together (Shift + ← →): the arrows turn, every arc and the score "
            "stay. Move one: the arcs of the fast pairs change most. Raise the base: the slow "
            "pairs "
            "turn more slowly. Click a plane to follow its pair, the curve to move the key.",
        .formulas = {"q_{m}^{T} k_{n} = q^{T} R((n − m) θ) k", "θ_{i} = base^{−2i/d}"},
        .formula_source = "RoFormer, eq. 14–16",
    };
}

}  // namespace ropescope::figures
