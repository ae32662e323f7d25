// Puts the absolute view together: its words, its figure, the values under the cursor and clicks.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>

#include "app/figures/absolute/panels.h"
#include "app/figures/describe.h"
#include "app/figures/text.h"
#include "app/figures/views.h"
#include "app/plot/pick.h"
#include "app/scene/scene_scaling.h"

namespace ropescope::figures {
namespace {

/// If the least and the largest score agree to two digits, both get more, at most six.
std::string title(const AbsoluteState& state) {
    constexpr int kMostDigits = 6;
    for (int digits = 2; digits <= kMostDigits; ++digits) {
        const std::string least = fixed_text(state.additive_least, digits);
        const std::string most = fixed_text(state.additive_most, digits);
        if (least != most) {
            return fmt::format(
                "Same distance, different scores: added positions give {} to {}, RoPE always {}",
                least, most, fixed_text(state.rope_least, digits));
        }
    }
    return "Added positions leave four terms in a score, RoPE one";
}

plot::Figure figure(const Scene& scene, const AbsoluteState& state) {
    plot::Figure figure;
    figure.view = "absolute";
    figure.title = title(state);
    figure.subtitle = fmt::format(
        "{}; W_{{q}} and W_{{k}} are fixed random orthogonal maps. Bottom: "
        "query and key slide together.",
        counted(state.spec.rotary_dim, "channel"));
    if (const Index step = state.step; step > 1) {
        figure.subtitle += fmt::format(" A score is computed every {} positions.", step);
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
        .parameters = {"shift", "position_count", "query_position", "key_position", "head_dim",
                       "rotary_dim", "base", "layout", "content_angle_deg", "content_seed"},
        .also_read = {"scaling"},
        .make = make,
        .what_you_see =
            "Positions used to be vectors, added to the embedding. One linear map moves every "
            "position by s, and that map is a rotation. But added vectors leave four terms in a "
            "score, and three of them change along the sequence.",
        .what_to_try =
            "Shift 0 is the identity; raise it and the blocks turn. Move query and key apart: "
            "the sum of the terms goes up and down with m, and RoPE's line stays level. Change the "
            "seed to compare other contents.",
        .formulas = {"(x + p_{m})^{T} W_{q}^{T} W_{k} (y + p_{n})",
                     "x^{T} W_{q}^{T} R(n − m) W_{k} y"},
        .formula_source = "RoFormer, eq. 3 and 6–7; Vaswani et al. 2017, section 3.5",
    };
}

}  // namespace ropescope::figures
