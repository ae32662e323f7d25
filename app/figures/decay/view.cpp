// Puts the decay view together: its words, its figure and the values under the cursor.
#include <fmt/format.h>
#include <memory>

#include "app/figures/decay/panels.h"
#include "app/figures/describe.h"
#include "app/figures/encoder/measured.h"
#include "app/figures/text.h"
#include "app/figures/views.h"
#include "app/plot/pick.h"
#include "app/scene/scene_scaling.h"
#include "core/base/memo.h"
#include "core/base/packed.h"

namespace ropescope::figures {
namespace {

/// What a frame has time for, and what takes about a second in the background.
constexpr DecayEffort kFrame{1 << 18, 1 << 20};
constexpr DecayEffort kBackground{1 << 28, 1 << 28};

std::string title(const DecayState& state) {
    const Rises& rises = state.bound_rises;
    if (rises.constant()) {
        return fmt::format("The bound is {} at every distance{}", fixed_text(rises.lowest, 2),
                           different_speeds(state.spectrum) > 1 ? ""
                           : state.spec.pairs() == 1            ? ": there is one pair"
                                                                : ": all pairs turn alike");
    }
    if (rises.rising == 0) {
        return "The bound never rises up to distance " + whole_text(state.range);
    }
    return "Decay is a trend, not a law: the bound " + rises_text(state, rises);
}

std::string subtitle(const DecayState& state) {
    return fmt::format(
        "Distances to {}, {}. Top: RoFormer's bound. Bottom: k = q, and {} random q, k within {}°.",
        whole_text(state.range), counted(state.spec.pairs(), "pair"), whole_text(state.draws),
        whole_text(state.angle_deg));
}

/// What was measured, in words.
void add_measured(plot::Figure& figure, const DecayState& state) {
    figure.subtitle += fmt::format(" Measured: {}.", state.measured->name);
    figure.legend.push_back(
        {"measured", plot::Role::query, plot::LegendEntry::Kind::line, plot::Dash::dotted});
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
    return {fmt::format("layer {}, head {} of {}, {}", at.layer, at.head, encoder.model,
                        counted(encoder.tokens.count(), "token")),
            at, encoder.config.n_heads, measured_decay(encoder, at)};
}

/// Whole states that another instance of the program has computed.
struct DeliveredDecay {
    Memo<Scene, DecayState> memo{3};
};

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
    const auto delivered = work.cache->results<DeliveredDecay>().memo.find(shown);
    const bool draft = work.may_draft && !delivered;
    DecayState made =
        delivered ? *delivered
                  : make_decay_state(shown, draft ? kFrame : kBackground, engine, work.stop);
    if (encoder != nullptr) {
        made.measured = measured_of(*encoder, shown);
    }
    const auto state = std::make_shared<const DecayState>(std::move(made));
    Picture picture{.figure = figure(*state), .draft = draft};
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

std::string compute(const Scene& scene, Engine& engine, const Work& work) {
    std::string pass;
    std::shared_ptr<const AttentionState> encoder;
    if (takes_content_of_encoder(scene)) {
        pass = compute_measured(scene, engine, work);
        encoder = measured_state(scene, engine, work);
    }
    const Scene shown = theory_scene(scene, encoder.get(), *work.cache);
    return Packer()
        .add(pass)
        .add(pack_decay_state(make_decay_state(shown, kBackground, engine, work.stop)))
        .bytes();
}

void deliver(std::string_view bytes, const Scene& scene, const Engine& engine, FigureCache& cache) {
    Unpacker unpacker(bytes);
    std::shared_ptr<const AttentionState> encoder;
    if (const auto pass = unpacker.get<std::string>(); !pass.empty()) {
        encoder = deliver_measured(pass, scene, engine, cache);
    }
    const Scene shown = theory_scene(scene, encoder.get(), cache);
    const auto theory = unpacker.get<std::string>();
    unpacker.end();
    cache.results<DeliveredDecay>().memo.keep(
        shown, std::make_shared<const DecayState>(unpack_decay_state(theory, shown)));
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
        .delivery = {compute, deliver},
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
