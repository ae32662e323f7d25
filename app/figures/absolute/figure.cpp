// Puts the absolute view together: its words, its panels, the values under the cursor and clicks.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>

#include "app/figures/absolute/absolute.h"
#include "app/figures/shared/describe.h"
#include "app/figures/shared/text.h"
#include "app/plot/pick.h"
#include "app/scene/scene_scaling.h"

namespace ropescope::figures {
namespace {

using plot::Role;
using plot::say;

plot::Line term_line(const AbsoluteState& state, double AdditiveTerms::*term, Role role,
                     plot::Dash dash, std::string label) {
    plot::Line line{
        .points = {}, .role = role, .width = 0.8, .dash = dash, .label = std::move(label)};
    for (const AbsoluteScores& at : state.scores) {
        line.points.push_back({to_double(at.m), at.additive.*term});
    }
    return line;
}

plot::Panel sinusoidal_panel(const AbsoluteState& state) {
    const SinusoidalTable& table = state.table;
    const Index channels = state.spec.rotary_dim;
    plot::Panel panel{.id = "sinusoidal",
                      .title = "sinusoidal table p_{m}",
                      .x = {.label = "position m",
                            .min = -0.5,
                            .max = to_double(state.count) - 0.5,
                            .integers = true},
                      .y = {.label = "channel: sin, cos",
                            .min = -0.5,
                            .max = to_double(channels) - 0.5,
                            .integers = true},
                      .color_bar = true};
    panel.marks.emplace_back(plot::HeatMap{.columns = table.columns,
                                           .rows = table.channels,
                                           .values = table.values,
                                           .x0 = -0.5,
                                           .y0 = -0.5,
                                           .dx = to_double(state.count) / to_double(table.columns),
                                           .dy = to_double(channels) / to_double(table.channels),
                                           .min = -1,
                                           .max = 1,
                                           .map = plot::ColorMap::diverging,
                                           .label = "p_{m}"});
    return panel;
}

plot::Panel shift_panel(const AbsoluteState& state) {
    const ShiftMap& map = state.shift_map;
    plot::HeatMap heat{.columns = map.size,
                       .rows = map.size,
                       .values = {},
                       .min = -1,
                       .max = 1,
                       .map = plot::ColorMap::diverging};
    for (Index row = 0; row < map.size; ++row) {
        for (Index column = 0; column < map.size; ++column) {
            heat.values.push_back(static_cast<float>(map.at(row, column)));
        }
    }
    const double end = to_double(map.size);
    plot::Panel panel{.id = "shift",
                      .title = say("shift map M_{{{}}}", state.shift),
                      .corners = {.bottom_left = "p_{m+s} = M_{s} p_{m}, every m"},
                      .x = {.label = "from channel", .min = 0, .max = end, .integers = true},
                      .y = {.label = "to channel", .min = end, .max = 0, .integers = true},
                      .color_bar = true,
                      .column = 1};
    panel.marks.emplace_back(std::move(heat));
    return panel;
}

std::string rope_name(const AbsoluteState& state) {
    switch (state.norm) {
        case NormPlace::before:
            return "norm, RoPE";
        case NormPlace::after:
            return "RoPE, norm";
        case NormPlace::none:
            break;
    }
    return "RoPE";
}

plot::Panel terms_panel(const AbsoluteState& state) {
    plot::Line sum{.points = {}, .role = Role::text, .width = 1.2, .label = "their sum"};
    plot::Line rope{.points = {}, .role = Role::first, .width = 1.6, .label = rope_name(state)};
    double least = 0, most = 0;
    for (const AbsoluteScores& at : state.scores) {
        const double m = to_double(at.m);
        sum.points.push_back({m, at.additive.sum()});
        rope.points.push_back({m, at.rope});
        for (const double value :
             {at.rope, at.additive.sum(), at.additive.content_content, at.additive.content_position,
              at.additive.position_content, at.additive.position_position}) {
            least = std::min(least, value);
            most = std::max(most, value);
        }
    }
    const double margin = 0.08 * (most - least) + 1e-9;
    plot::Panel panel{.id = "terms",
                      .title = "score at one distance along the sequence",
                      .corners = {.top_right = say("n − m = {}", whole_text(state.delta))},
                      .x = {.label = "position m of the query",
                            .min = to_double(state.scores.front().m),
                            .max = std::max(to_double(state.scores.back().m),
                                            to_double(state.scores.front().m) + 1),
                            .integers = true},
                      .y = {.min = least - margin, .max = most + margin},
                      .row = 1,
                      .column_span = 2};
    panel.marks = {term_line(state, &AdditiveTerms::content_content, Role::dim,
                             plot::Dash::dash_dot, "content · content"),
                   term_line(state, &AdditiveTerms::content_position, Role::second,
                             plot::Dash::dashed, "content · position"),
                   term_line(state, &AdditiveTerms::position_content, Role::second,
                             plot::Dash::dotted, "position · content"),
                   term_line(state, &AdditiveTerms::position_position, Role::third,
                             plot::Dash::long_dash, "position · position"),
                   std::move(sum),
                   std::move(rope)};
    return panel;
}

/// If the least and the largest score agree to two digits, both get more, at most six.
plot::Text title(const AbsoluteState& state) {
    constexpr int kMostDigits = 6;
    const bool level = state.norm != NormPlace::after;
    for (int digits = 2; digits <= kMostDigits; ++digits) {
        const plot::Number least = fixed_text(state.additive_least, digits);
        const plot::Number most = fixed_text(state.additive_most, digits);
        const plot::Number rope_least = fixed_text(state.rope_least, digits);
        const plot::Number rope_most = fixed_text(state.rope_most, digits);
        if (least != most && level) {
            return say(
                "Same distance, different scores: added positions give {} to {}, RoPE always {}",
                least, most, rope_least);
        }
        if (least != most && rope_least != rope_most) {
            return say(
                "Same distance, different scores: added positions give {} to {}, RoPE with a norm "
                "after it {} to {}",
                least, most, rope_least, rope_most);
        }
    }
    return say("Added positions leave four terms in a score, RoPE one");
}

plot::Figure figure(const Scene& scene, const AbsoluteState& state) {
    plot::Figure figure;
    figure.view = "absolute";
    figure.title = title(state);
    figure.subtitle =
        say("{}; W_{{q}} and W_{{k}} are fixed random orthogonal maps. Bottom: "
            "query and key slide together.",
            counted(state.spec.rotary_dim, "channel"));
    if (const Index step = state.step; step > 1) {
        figure.subtitle += say(" A score is computed every {} positions.", step);
    }
    if (state.norm != NormPlace::none) {
        figure.subtitle += say(" RoPE's q and k have an RMS norm {} the rotation.",
                               state.norm == NormPlace::before ? "before" : "after");
    }
    figure.subtitle += without_scaling_text(scene_scaling(scene));
    figure.row_weights = {1.0, 1.0};
    figure.column_weights = {1.9, 1.0};
    figure.data = absolute_data(state);
    figure.report = report_head(figure, state.spec) + absolute_report(state);
    return figure;
}

/// The query's position under the cursor, such that the key has one too.
Index query_at(const AbsoluteState& state, double x) {
    return plot::pick_whole(x, std::max<Index>(0, -state.delta),
                            std::min<Index>(kMaxPosition, kMaxPosition - state.delta));
}

std::vector<plot::Readout> terms_readouts(const AbsoluteState& state, plot::Point at) {
    const AbsoluteScores scores = state.scores_at(query_at(state, at.x));
    const AdditiveTerms& terms = scores.additive;
    return {{"query m", whole_text(scores.m)},
            {"key n", whole_text(scores.n)},
            {"content · content", signed_text(terms.content_content, 4)},
            {"content · position", signed_text(terms.content_position, 4)},
            {"position · content", signed_text(terms.position_content, 4)},
            {"position · position", signed_text(terms.position_position, 4)},
            {"their sum", signed_text(terms.sum(), 4)},
            {"RoPE", signed_text(scores.rope, 4)}};
}

std::vector<plot::Readout> table_readouts(const AbsoluteState& state, plot::Point at) {
    const Index position = plot::pick_index(at.x, state.count);
    const Index channel = plot::pick_index(at.y, state.spec.rotary_dim);
    const Index pair = channel / 2;
    const double angle = reduced_angle_rad(position, state.spectrum.inv_freq_rad[pair]);
    const bool sine = channel % 2 == 0;
    return {{"position", whole_text(position)},
            {"channel", fmt::format("{}: {}", channel, sine ? "sin" : "cos")},
            {"pair", fmt::format("{}", pair)},
            {"p", signed_text(sine ? std::sin(angle) : std::cos(angle), 5)}};
}

std::vector<plot::Readout> shift_readouts(const AbsoluteState& state, plot::Point at) {
    const Index size = state.shift_map.size;
    const Index column = plot::pick_cell(at.x, size);
    const Index row = plot::pick_cell(at.y, size);
    return {{"from channel", fmt::format("{}", column)},
            {"to channel", fmt::format("{}", row)},
            {"entry", signed_text(state.shift_map.at(row, column), 5)}};
}

/// Moves query and key there and keeps their distance.
Scene move_both(const AbsoluteState& state, Scene scene, plot::Point at) {
    if (std::isfinite(at.x)) {
        scene.query_position = query_at(state, at.x);
        scene.key_position = scene.query_position + state.delta;
    }
    return scene;
}

Picture make(const Scene& scene, Engine&, const Work&) {
    const auto state = std::make_shared<const AbsoluteState>(make_absolute_state(scene));
    Picture picture{.figure = figure(scene, *state)};
    picture.add(sinusoidal_panel(*state), {state, table_readouts});
    picture.add(shift_panel(*state), {state, shift_readouts});
    picture.add(terms_panel(*state), {state, terms_readouts, move_both});
    return picture;
}

}  // namespace

View absolute_view() {
    return {
        .id = "absolute",
        .key = '8',
        .name = "Absolute",
        .group = "Before RoPE",
        .question = "What did RoPE replace?",
        .parameters = {"shift", "absolute_norm", "position_count", "query_position", "key_position",
                       "head_dim", "rotary_dim", "base", "layout", "content_angle_deg",
                       "content_seed"},
        .also_read = {"scaling"},
        .make = make,
        .what_you_see =
            "Positions used to be vectors, added to the embedding. One linear map moves every "
            "position by s, and that map is a rotation. But added vectors leave four terms in a "
            "score, and three of them change along the sequence.",
        .what_to_try =
            "Shift 0 is the identity; raise it and the blocks turn. Move query and key apart: "
            "the sum of the terms goes up and down with m, and RoPE's line stays level. Put a norm "
            "with weights after the rotation, and it does so no longer. Change the "
            "seed to compare other contents.",
        .formulas = {"(x + p_{m})^{T} W_{q}^{T} W_{k} (y + p_{n})",
                     "x^{T} W_{q}^{T} R(n − m) W_{k} y"},
        .formula_source = "RoFormer, eq. 3 and 6–7; Vaswani et al. 2017, section 3.5",
    };
}

}  // namespace ropescope::figures
