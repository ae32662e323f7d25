// Puts the scores view together: its words, its panels, the values under the cursor and clicks.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>

#include "app/figures/encoder/measured.h"
#include "app/figures/scores/scores.h"
#include "app/figures/shared/describe.h"
#include "app/figures/shared/text.h"
#include "app/plot/pick.h"
#include "app/scene/scene_scaling.h"

namespace ropescope::figures {
namespace {

using plot::Point;
using plot::Role;
using plot::say;

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

/// "parts": the score and its two parts against distance.
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
        plot::Rule{.at = at, .role = Role::dim, .of_selection = true},
        plot::Line{
            .points = std::move(cos_part), .role = Role::cos_part, .dash = plot::Dash::long_dash},
        plot::Line{
            .points = std::move(sin_part), .role = Role::sin_part, .dash = plot::Dash::dotted},
        plot::Line{.points = std::move(total), .role = Role::text},
        plot::Points{.points = {{at, state.total.sum()}},
                     .role = Role::query,
                     .radius_px = 5,
                     .ring = true,
                     .of_selection = true}};
    return panel;
}

/// "shares": both parts of every pair at the scene's distance.
plot::Panel shares_panel(const ScoresState& state) {
    double reach = 0;
    for (const PairShare& share : state.shares) {
        reach = std::max({reach, std::abs(share.cos_part), std::abs(share.sin_part)});
    }
    plot::Panel panel{
        .id = "shares",
        .title = say("pair by pair at n − m = {}", whole_text(state.delta)),
        .corners = {.top_right = say("{} of {} {} up half, signs aside", state.carriers.size(),
                                     state.spec.pairs(),
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
    panel.marks.emplace_back(plot::Band{
        .first = selected - 0.5, .last = selected + 0.5, .opacity = 0.9, .of_selection = true});
    add_parts(panel.marks, state, &PairShare::cos_part, Role::cos_part, -0.14);
    add_parts(panel.marks, state, &PairShare::sin_part, Role::sin_part, 0.14);
    return panel;
}

/// "singular": the singular values of the three tables, each over the largest of its table.
plot::Panel singular_panel(const ScoresState& state) {
    const double last = to_double(std::ssize(state.rope.values));
    plot::Panel panel{.id = "singular",
                      .title = "terms in the scores",
                      .corners = {.top_right = say("{} × {}", state.contents, state.distances)},
                      .x = {.label = "singular value", .min = 0, .max = last + 1, .integers = true},
                      .y = {.label = "of the largest",
                            .min = 0.3 * kSmallestShown,
                            .max = 10,
                            .scale = plot::AxisScale::log10},
                      .row = 1,
                      .column = 1};
    panel.marks = {singular_points(state.added.values, Role::dim, 2.4 * kDot),
                   singular_points(state.multiplied.values, Role::second, 1.7 * kDot),
                   singular_points(state.rope.values, Role::first, kDot)};
    // Lower left, where only tables of few contents have a point.
    const auto add = [&](double at, const char* name, Index count, Role role) {
        panel.marks.emplace_back(plot::Label{.at = {0.06 * last, at},
                                             .text = say("{}: {}", name, counted(count, "term")),
                                             .role = role,
                                             .anchor_y = 0.5});
    };
    add(1e-7, "RoPE", state.rope.rank, Role::first);
    add(1e-9, "q·k + bias", state.added.rank, Role::dim);
    add(1e-11, "q·k × bias", state.multiplied.rank, Role::second);
    return panel;
}

plot::Text title(const ScoresState& state) {
    if (state.spec.pairs() == 1) {
        return say(
            "The only pair carries the score: a cosine part and a sine part of the distance");
    }
    return say("{} of {} {} up half of the score, signs aside; the effect of distance {} content",
               state.carriers.size(), counted(state.spec.pairs(), "pair"),
               agreeing(std::ssize(state.carriers), "makes", "make"),
               state.rope.rank > 1 ? "depends on the" : "is the same for every");
}

/// "score +0.67 = cos part ...", with as many decimals, but at least 3, as make the sum of the
/// rounded parts the rounded score.
plot::Text sum_text(const PairShare& total) {
    int decimals = 3;
    const auto rounded = [&](double value) { return std::round(value * std::pow(10, decimals)); };
    while (decimals < 15 && rounded(total.cos_part) + rounded(total.sin_part) !=
                                rounded(total.cos_part + total.sin_part)) {
        ++decimals;
    }
    return say("score {} = cos part {} + sin part {}", signed_text(total.sum(), decimals),
               signed_text(total.cos_part, decimals), signed_text(total.sin_part, decimals));
}

plot::Figure draw(const ScoresState& state, const plot::Text& content_name) {
    using Kind = plot::LegendEntry::Kind;
    plot::Figure figure;
    figure.view = "scores";
    figure.title = title(state);
    figure.subtitle = say("At n − m = {}: {}.", whole_text(state.delta), sum_text(state.total)) +
                      (content_name.empty() ? plot::Text() : " " + content_name + ".") +
                      score_gain_text(state.spectrum);
    figure.legend = {{"score", plot::Role::text, Kind::line},
                     {"cos part", plot::Role::cos_part, Kind::line, plot::Dash::long_dash},
                     {"sin part", plot::Role::sin_part, Kind::line, plot::Dash::dotted}};
    figure.row_weights = {1.0, 1.0};
    figure.column_weights = {1.5, 1.0};
    figure.data = scores_data(state);
    figure.report = report_head(figure, state.spec) + scores_report(state);
    return figure;
}

/// All pairs at a distance, and the selected one.
std::vector<plot::Readout> distance_readouts(const ScoresState& state, plot::Point at) {
    const Index distance = plot::pick_whole(at.x, -kMaxPosition, kMaxPosition);
    const PairShare total = state.total_at(distance), own = state.share(state.selected, distance);
    return {{"distance n − m", whole_text(distance)},
            {"score", signed_text(total.sum(), 4)},
            {"cos part", signed_text(total.cos_part, 4)},
            {"sin part", signed_text(total.sin_part, 4)},
            {fmt::format("pair {}: cos part", state.selected), signed_text(own.cos_part, 5)},
            {fmt::format("pair {}: sin part", state.selected), signed_text(own.sin_part, 5)}};
}

Index pair_at(const ScoresState& state, plot::Point at) {
    return plot::pick_index(at.x, state.spec.pairs());
}

std::vector<plot::Readout> pair_readouts(const ScoresState& state, plot::Point at) {
    const Index pair = pair_at(state, at);
    const PairShare& share = state.shares[pair];
    std::vector<plot::Readout> readouts = describe_pair(state.spec, state.spectrum, pair);
    readouts.push_back({"cos part", signed_text(share.cos_part, 5)});
    readouts.push_back({"sin part", signed_text(share.sin_part, 5)});
    readouts.push_back({"sum", signed_text(share.sum(), 5)});
    return readouts;
}

std::vector<plot::Readout> rank_readouts(const ScoresState& state, plot::Point) {
    const auto terms = [](Index count) { return counted(count, "term"); };
    return {{"RoPE's score", terms(state.rope.rank)},
            {"at most", terms(2 * state.spec.pairs())},
            {"q·k × bias", terms(state.multiplied.rank)},
            {"q·k + bias", terms(state.added.rank)}};
}

Scene move_key(const ScoresState&, const Scene& scene, plot::Point at) {
    return with_key_at_distance(scene, at.x);
}

Scene follow_pair(const ScoresState& state, Scene scene, plot::Point at) {
    scene.selected_pair = pair_at(state, at);
    return scene;
}

/// The chosen pair of tokens, and for the table all pairs of tokens, at most as many as are drawn
/// otherwise.
ScoresContent content_of_encoder(const AttentionState& measured, const Scene& scene) {
    constexpr Index kMostPairs = 48;
    const OpenedHead at = opened_head(scene, measured.config);
    const Spectrum spectrum = make_spectrum(rope_spec(scene));
    const auto of = [&](Index query, Index key) {
        return measured_content(measured, spectrum, at, query, key);
    };
    ScoresContent content{of(scene.content_query, scene.content_key), {}};
    const Index tokens = measured.tokens.count();
    for (const Index i : evenly_chosen(tokens * tokens, kMostPairs)) {
        content.many.push_back(of(i / tokens, i % tokens));
    }
    return content;
}

Picture picture_of(const Scene& scene, ScoresContent content, const plot::Text& content_name,
                   Engine& engine) {
    const auto state =
        std::make_shared<const ScoresState>(make_scores_state(scene, std::move(content), engine));
    Picture picture{.figure = draw(*state, content_name)};
    picture.add(parts_panel(*state), {state, distance_readouts, move_key});
    picture.add(shares_panel(*state), {state, pair_readouts, follow_pair});
    picture.add(singular_panel(*state), {state, rank_readouts});
    return picture;
}

Picture make(const Scene& scene, Engine& engine, const Work& work) {
    if (!takes_content_of_encoder(scene)) {
        return picture_of(scene, drawn_content(scene), "", engine);
    }
    const Scene shown = on_encoder(scene, *work.cache);
    const auto measured = measured_state(shown, engine, work);
    return measured ? picture_of(shown, content_of_encoder(*measured, shown),
                                 measured_name(*measured, shown), engine)
                    : waiting_for_encoder("scores");
}

}  // namespace

View scores_view() {
    return {
        .id = "scores",
        .key = '5',
        .name = "Scores",
        .group = "What it does to scores",
        .question = "Where does a score come from?",
        .parameters = with_scaling_parameters({"query_position",
                                               "key_position",
                                               "distance_range",
                                               "content_source",
                                               "content_angle_deg",
                                               "content_seed",
                                               "content_query",
                                               "content_key",
                                               "attention_layer",
                                               "attention_head",
                                               "attention_source",
                                               "attention_folder",
                                               "attention_text",
                                               "attention_masked",
                                               "attention_tokens",
                                               "selected_pair",
                                               "head_dim",
                                               "rotary_dim",
                                               "base",
                                               "layout"}),
        .only_when = {read_of_encoder(), read_of_drawn_content()},
        .make = make,
        .carries_results = true,
        .what_you_see =
            "Every pair adds q·k times the cosine of its turn, which is the same for a key before "
            "and after the query, and q·Jk times the sine, which tells the two apart. "
            "One panel shows how many products of content and distance add up to all scores.",
        .what_to_try =
            "Content angle 0: the sine part is zero, and one term is enough. Raise it: sine parts "
            "appear, and a table needs more terms. Click the curve to move the key, a pair to "
            "follow it. Take q and k of two tokens from the encoder, to see which pairs a trained "
            "model uses.",
        .formulas =
            {"q_{m}^{T} k_{n} = Σ_{i} q_{i}^{T} k_{i} cos(δθ_{i}) + q_{i}^{T} J k_{i} sin(δθ_{i})",
             "δ = n − m"},
        .formula_source = "RoFormer, eq. 16, written out; J turns a pair by 90°",
    };
}

}  // namespace ropescope::figures
