// Puts the decay view together: its words, its panels and the values under the cursor.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>

#include "app/figures/decay/decay.h"
#include "app/figures/encoder/measured.h"
#include "app/figures/shared/describe.h"
#include "app/figures/shared/text.h"
#include "app/plot/pick.h"
#include "app/scene/scene_scaling.h"
#include "core/base/memo.h"
#include "core/base/packed.h"

namespace ropescope::figures {
namespace {

using plot::Point;
using plot::Role;
using plot::say;

plot::Axis distance_axis(const DecayState& state, bool named) {
    plot::Text label = "distance |n − m| (positions)";
    if (const Index step = state.step(); step > 1 && !state.logarithmic) {
        label += say(", drawn every {}", whole_text(step));
    }
    return {.label = named ? label : plot::Text(),
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

plot::Text panel_rises_text(const DecayState& state, const Rises& rises) {
    return rises.constant() ? say("constant")
                            : say("rises on {} of {} {}", whole_text(rises.rising),
                                  whole_text(rises.steps), steps_noun(state, rises));
}

/// Adds a ring with its words, which move from its right to its left along the axis.
void add_place(plot::Panel& panel, Point at, const plot::Text& text, bool above) {
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
                    .role = Role::third,
                    .width = 1.2,
                    .dash = plot::Dash::dotted,
                    .label = "measured"};
    const std::vector<double>& cosine = state.measured->by_distance.cosine;
    for (Index i = state.logarithmic ? 1 : 0; i < std::ssize(cosine) && i <= state.range; ++i) {
        line.points.push_back({to_double(i), cosine[i] * to_double(state.spec.pairs())});
    }
    panel.marks.emplace_back(std::move(line));
}

/// Probability against distance of every head of the encoder; needs state.measured.
plot::Panel probability_panel(const DecayState& state) {
    const DecayState::Measured& measured = *state.measured;
    const auto& heads = measured.by_distance.probability;
    double highest = 0;
    for (const std::vector<double>& head : heads) {
        highest = std::max(highest, *std::ranges::max_element(head));
    }
    plot::Panel panel{.id = "probability",
                      .title = "measured: probability by distance",
                      .corners = {.top_right = heads.empty() ? plot::Text("the text is too long")
                                                             : say("{} heads", std::ssize(heads))},
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
        add(heads[measured.at.layer * measured.heads + measured.at.head], Role::third, 1.4);
    }
    return panel;
}

}  // namespace

std::string steps_noun(const DecayState& state, const Rises& rises) {
    return std::string(state.counted ? "" : "drawn ") + (rises.steps == 1 ? "step" : "steps");
}

namespace {

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
                  say("lowest {} at {}", fixed_text(rises.lowest, 2), whole_text(rises.lowest_at)),
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
                  say("below zero at {}", whole_text(state.below_zero)), true);
    }
    return panel;
}

plot::Text title(const DecayState& state) {
    const Rises& rises = state.bound_rises;
    if (rises.constant()) {
        return say("The bound is {} at every distance{}", fixed_text(rises.lowest, 2),
                   different_speeds(state.spectrum) > 1 ? ""
                   : state.spec.pairs() == 1            ? ": there is one pair"
                                                        : ": all pairs turn alike");
    }
    if (rises.rising == 0) {
        return say("The bound never rises up to distance {}", whole_text(state.range));
    }
    return say("Decay is a trend, not a law: the bound rises on {} of {} {}",
               whole_text(rises.rising), whole_text(rises.steps), steps_noun(state, rises));
}

plot::Text subtitle(const DecayState& state) {
    return say(
        "Distances to {}, {}. Top: RoFormer's bound. Bottom: k = q, and {} random q, k within {}°.",
        whole_text(state.range), counted(state.spec.pairs(), "pair"), whole_text(state.draws),
        whole_text(state.angle_deg));
}

/// What was measured, in words.
void add_measured(plot::Figure& figure, const DecayState& state) {
    figure.subtitle += say(" Measured: {}.", state.measured->name);
    figure.legend.push_back(
        {"measured", plot::Role::third, plot::LegendEntry::Kind::line, plot::Dash::dotted});
    figure.row_weights.push_back(1.0);
}

plot::Figure figure(const DecayState& state) {
    using Kind = plot::LegendEntry::Kind;
    plot::Figure figure;
    figure.view = "decay";
    figure.title = title(state);
    figure.subtitle = subtitle(state) + score_gain_text(state.spectrum);
    figure.legend = {
        {"the bound; k = q", plot::Role::first, Kind::line},
        {"it rises", plot::Role::text, Kind::line},
        {"random q, k: mean, 5 to 95 %", plot::Role::second, Kind::line, plot::Dash::dashed}};
    figure.row_weights = {1.0, 1.0};
    figure.column_weights = {1.0};
    if (state.measured) {
        add_measured(figure, state);
    }
    figure.data = decay_data(state);
    figure.report = report_head(figure, state.spec) + decay_report(state);
    return figure;
}

/// Readouts of what was measured at a distance; none beyond the text.
std::vector<plot::Readout> measured_readouts(const DecayState& state, plot::Point at) {
    const Index distance = plot::pick_whole(at.x, 0, state.range);
    if (!state.measured || distance >= std::ssize(state.measured->by_distance.cosine)) {
        return {};
    }
    const DecayState::Measured& measured = *state.measured;
    std::vector<plot::Readout> values = {
        {"measured mean cosine", signed_text(measured.by_distance.cosine[distance], 4)}};
    if (!measured.by_distance.probability.empty()) {
        const Index head = measured.at.layer * measured.heads + measured.at.head;
        values.push_back({"measured probability",
                          fixed_text(measured.by_distance.probability[head][distance], 5)});
    }
    return values;
}

/// The values at the distance under the cursor, whether it is drawn or not.
std::vector<plot::Readout> theory_readouts(const DecayState& state, plot::Point at) {
    const Index distance = plot::pick_whole(at.x, 0, state.range);
    const DecayPoint here = decay_at(state.spectrum, distance);
    const DecayPoint next = decay_at(state.spectrum, distance + 1);
    const ScoreSpread spread = score_spread(state.spectrum, distance, state.angle_rad);
    const double start = 0.5 * to_double(state.spec.pairs() + 1);
    const auto change = [](double from, double to) { return signed_text(to - from, 4); };
    return {{"distance", whole_text(distance)},
            {"upper bound", fixed_text(here.upper_bound, 4)},
            {"of the bound at 0", fixed_text(100 * here.upper_bound / start, 1) + " %"},
            {"bound, next step", change(here.upper_bound, next.upper_bound)},
            {"sum of cosines", fixed_text(here.cosine_sum, 4)},
            {"cosines, next step", change(here.cosine_sum, next.cosine_sum)},
            {"random q, k: mean", fixed_text(spread.mean, 3)},
            {"standard deviation", fixed_text(spread.deviation, 3)}};
}

std::vector<plot::Readout> all_readouts(const DecayState& state, plot::Point at) {
    std::vector<plot::Readout> values = theory_readouts(state, at);
    const std::vector<plot::Readout> measured = measured_readouts(state, at);
    values.insert(values.end(), measured.begin(), measured.end());
    return values;
}

DecayState::Measured measured_of(const AttentionState& encoder, const Scene& scene) {
    const OpenedHead at = opened_head(scene, encoder.config);
    return {say("layer {}, head {} of {}, {}", at.layer, at.head, encoder.model,
                counted(encoder.tokens.count(), "token")),
            at, encoder.config.n_heads, measured_decay(encoder, at)};
}

/// The scene whose theory is drawn: with an encoder the axis ends where its text ends.
Scene theory_scene(const Scene& scene, const AttentionState* encoder, FigureCache& cache) {
    if (encoder == nullptr) {
        return scene;
    }
    Scene shown = on_encoder(scene, cache);
    shown.decay_range =
        std::clamp<Index>(encoder->tokens.count() - 1, 2, std::max<Index>(2, scene.decay_range));
    return shown;
}

Picture picture_of(const Scene& scene, const AttentionState* encoder, Engine& engine,
                   const Work& work) {
    const Scene shown = theory_scene(scene, encoder, *work.cache);
    DecayState made = make_decay_state(shown, engine, work);
    if (encoder != nullptr) {
        made.measured = measured_of(*encoder, shown);
    }
    const auto state = std::make_shared<const DecayState>(std::move(made));
    Picture picture{.figure = figure(*state), .draft = state->draft};
    picture.add(bound_panel(*state), {state, all_readouts});
    picture.add(score_panel(*state), {state, all_readouts});
    if (state->measured) {
        plot::Panel panel = probability_panel(*state);
        panel.row = 2;
        picture.add(std::move(panel), {state, measured_readouts});
    }
    return picture;
}

Picture make(const Scene& scene, Engine& engine, const Work& work) {
    if (!takes_content_of_encoder(scene)) {
        return picture_of(scene, nullptr, engine, work);
    }
    const auto encoder = measured_state(on_encoder(scene, *work.cache), engine, work);
    return encoder ? picture_of(scene, encoder.get(), engine, work) : waiting_for_encoder("decay");
}

}  // namespace

View decay_view() {
    return {
        .id = "decay",
        .key = '6',
        .name = "Decay",
        .group = "What it does to scores",
        .question = "How fast does it forget?",
        .parameters = with_scaling_parameters(
            {"decay_range", "distance_axis", "head_dim", "rotary_dim", "base", "layout",
             "content_source", "content_angle_deg", "content_seed", "attention_layer",
             "attention_head", "attention_source", "attention_folder", "attention_text",
             "attention_masked", "attention_tokens"}),
        .only_when = {read_of_encoder()},
        .make = make,
        .carries_results = true,
        .what_you_see =
            "Top: the bound that \"long-term decay\" comes from: it falls as a trend and rises in "
            "between; the title counts the steps. Bottom: the score of a key that equals the "
            "query, and of random q and k: their mean is a fixed share of it, and single draws "
            "vary widely.",
        .what_to_try =
            "Raise the base: the curves fall more slowly. Lengthen the range to your model's "
            "context, on a logarithmic scale: a mark shows where the sum of cosines first falls "
            "below zero, if it does. Content angle 180: the mean of random q and k is zero at "
            "every distance. Take q and k from the encoder, and compare the curves with what its "
            "heads do.",
        .formulas = {"|q_{m}^{T} k_{n}| ≤ max_{i} |h_{i+1} − h_{i}| Σ |S_{j}|",
                     "S_{j} = Σ_{i<j} exp(i(m − n) θ_{i})"},
        .formula_source =
            "RoFormer, section 3.4.3, eq. 36–37; h: q times conjugate k, pair by pair",
    };
}

}  // namespace ropescope::figures
