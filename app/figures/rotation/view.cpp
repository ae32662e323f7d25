// Makes the rotation view's picture: title, panels, values under the cursor, clicks.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "app/figures/describe.h"
#include "app/figures/rotation/panels.h"
#include "app/figures/text.h"
#include "app/figures/views.h"
#include "app/plot/pick.h"
#include "app/scene/scene_scaling.h"

namespace ropescope::figures {
namespace {

std::string title(const RotationState& state) {
    const char* rest = "only the distance n − m is left in the score";
    if (state.along) {
        return fmt::format(
            "{} of {} {} {}; {}", state.along->turning, counted(state.spec.pairs(), "pair"),
            agreeing(state.along->turning, "turns", "turn"), state.along->words(), rest);
    }
    if (state.spec.pairs() == 1) {
        return fmt::format("The pair turns with the position; {}", rest);
    }
    const Index speeds = different_speeds(state.spectrum);
    if (speeds == 1) {
        return fmt::format("All pairs turn at one speed; {}", rest);
    }
    if (speeds < state.spec.pairs()) {
        return fmt::format("The pairs turn at {} speeds; {}", speeds, rest);
    }
    return fmt::format("Each pair turns at its own speed; {}", rest);
}

std::string subtitle(const RotationState& state) {
    const Index shown = std::ssize(state.shown);
    const std::string pairs =
        shown == state.spec.pairs()
            ? (shown == 1 ? "the only pair" : fmt::format("all {} pairs", shown))
            : fmt::format("{} of {}", shown, counted(state.spec.pairs(), "pair"));
    return fmt::format(
        "query at position m = {}, key at position n = {}, {}. Dots: earlier "
        "positions.",
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
