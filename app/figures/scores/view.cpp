// Makes the scores view's picture: title, panels, values under the cursor, clicks.
#include <cmath>
#include <fmt/format.h>

#include "app/figures/describe.h"
#include "app/figures/encoder/measured.h"
#include "app/figures/scores/panels.h"
#include "app/figures/text.h"
#include "app/figures/views.h"
#include "app/plot/pick.h"
#include "app/scene/scene_scaling.h"

namespace ropescope::figures {
namespace {

std::string title(const ScoresState& state) {
    if (state.spec.pairs() == 1) {
        return "The only pair carries the score: a cosine part and a sine part of the distance";
    }
    return fmt::format("{} of {} {} half of Σ |share|; the effect of distance {} content",
                       state.carriers.size(), counted(state.spec.pairs(), "pair"),
                       agreeing(std::ssize(state.carriers), "makes", "make"),
                       state.rope.rank > 1 ? "depends on the" : "is the same for every");
}

/// "score +0.67 = cos part ...", with as many decimals, but at least 3, as make the sum of the
/// rounded parts the rounded score.
std::string sum_text(const PairShare& total) {
    int decimals = 3;
    const auto rounded = [&](double value) { return std::round(value * std::pow(10, decimals)); };
    while (decimals < 15 && rounded(total.cos_part) + rounded(total.sin_part) !=
                                rounded(total.cos_part + total.sin_part)) {
        ++decimals;
    }
    return fmt::format("score {} = cos part {} + J sin part {}", signed_text(total.sum(), decimals),
                       signed_text(total.cos_part, decimals),
                       signed_text(total.sin_part, decimals));
}

plot::Figure draw(const ScoresState& state, const std::string& content_name) {
    using Kind = plot::LegendEntry::Kind;
    plot::Figure figure;
    figure.view = "scores";
    figure.title = title(state);
    figure.subtitle =
        fmt::format("At n − m = {}: {}.", whole_text(state.delta), sum_text(state.total)) +
        (content_name.empty() ? "" : fmt::format(" {}.", content_name)) +
        score_gain_text(state.spectrum);
    figure.legend = {{"score", plot::Role::text, Kind::line},
                     {"cos part", plot::Role::cos_part, Kind::line, plot::Dash::long_dash},
                     {"J sin part", plot::Role::sin_part, Kind::line, plot::Dash::dotted}};
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
            {"J sin part", signed_text(total.sin_part, 4)},
            {fmt::format("pair {}: cos part", state.selected), signed_text(own.cos_part, 5)},
            {fmt::format("pair {}: J sin part", state.selected), signed_text(own.sin_part, 5)}};
}

Index pair_at(const ScoresState& state, plot::Point at) {
    return plot::pick_index(at.x, state.spec.pairs());
}

std::vector<plot::Readout> pair_readouts(const ScoresState& state, plot::Point at) {
    const Index pair = pair_at(state, at);
    const PairShare& share = state.shares[pair];
    std::vector<plot::Readout> readouts = describe_pair(state.spec, state.spectrum, pair);
    readouts.push_back({"cos part", signed_text(share.cos_part, 5)});
    readouts.push_back({"J sin part", signed_text(share.sin_part, 5)});
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

Picture picture_of(const Scene& scene, ScoresContent content, const std::string& content_name,
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

void deliver(std::string_view bytes, const Scene& scene, const Engine& engine, FigureCache& cache) {
    deliver_measured(bytes, scene, engine, cache);
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
        .delivery = {compute_measured, deliver},
        .what_you_see =
            "Every pair adds q·k times the cosine of its turn, which is the same for a key before "
            "and after the query, and q·Jk times the sine, which tells the two apart. "
            "\"Terms\" shows how many products of content and distance a table of scores needs.",
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
