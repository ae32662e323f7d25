#include "app/figures/attention/view.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "app/figures/attention/state.h"
#include "app/figures/describe.h"
#include "app/figures/text.h"
#include "app/plot/layout.h"

namespace ropescope::figures {
namespace {

std::string title(const AttentionState& state, const Scene& scene) {
    if (scene.attention_shift == 0) {
        return "What every head of a whole encoder makes of the distance between two tokens";
    }
    const std::string moved =
        fmt::format("Move every token by {}", counted(scene.attention_shift, "position"));
    if (state.draft) {
        return moved + ": computing what changes";
    }
    const std::string by = fmt::format("{:.1e}", state.largest.score);
    return scene.attention_table == TableDtype::bf16
               ? moved + ": with a bf16 table scores change by up to " + by
               : moved + ": nothing changes, no score by more than " + by;
}

std::string subtitle(const AttentionState& state, const Scene& scene) {
    const EncoderConfig& config = state.config;
    const OpenedHead at = opened_head(scene, config);
    const HeadMap& map = state.map(at.layer, at.head);
    std::string text =
        fmt::format("{}: {} × {}, head_dim {}, base {}, {}. Left: {}", state.model,
                    counted(config.n_layers, "layer"), counted(config.n_heads, "head"),
                    config.head_dim(), plot::exact_number_text(config.rope_base),
                    counted(state.tokens.count(), "token"), quantity_name(scene));
    if (map.block > 1) {
        text +=
            fmt::format("; a cell is the {} of {} × {} pairs",
                        scene.attention_quantity == AttentionQuantity::softmax ? "largest" : "mean",
                        map.block, map.block);
    }
    if (state.query_step > 1) {
        text +=
            fmt::format("; probabilities and the curves are of one query in {}", state.query_step);
    }
    if (state.seen < state.tokens.count()) {
        text +=
            fmt::format("; {} masked", counted(state.tokens.count() - state.seen, "padded key"));
    }
    return text + ".";
}

plot::Figure figure_of(const AttentionState& state, const Scene& scene, Engine& engine,
                       const Work& work) {
    using Kind = plot::LegendEntry::Kind;
    const plot::LiveCells live = work.live ? live_map(state, scene, engine) : plot::LiveCells{};
    plot::Figure figure;
    figure.view = "attention";
    figure.title = title(state, scene);
    figure.subtitle = subtitle(state, scene);
    figure.legend = {{"query", plot::Role::query, Kind::point},
                     {"key", plot::Role::key, Kind::point}};
    figure.panels = {map_panel(state, scene, live), heads_panel(state, scene),
                     distance_panel(state, scene), shift_panel(state, scene)};
    figure.row_weights = {1.5, 1.0, 0.85};
    figure.column_weights = {1.3, 1.0};
    figure.engine_seconds = state.engine_seconds;
    if (!live.tensor) {
        figure.data = attention_data(state, scene);
        figure.report =
            report_head(figure, state.config.rope()) + "\n" + attention_report(state, scene);
    }
    return figure;
}

/// While nothing is known yet of a model that a frame has no time for.
plot::Figure waiting_figure(const Scene& scene) {
    const auto length = static_cast<double>(scene.attention_tokens);
    plot::Figure figure;
    figure.view = "attention";
    figure.title = "Running the encoder with RoPE, without it, and at moved positions";
    figure.subtitle = scene.attention_source == AttentionSource::full
                          ? "The notebook's configuration."
                      : scene.attention_source == AttentionSource::demo ? "The demo."
                                                                        : scene.attention_folder;
    plot::Panel panel{.id = "map",
                      .title = "the opened head",
                      .x = {.label = "key position", .max = length, .integers = true},
                      .y = {.label = "query position", .min = length, .max = 0, .integers = true}};
    panel.marks.emplace_back(plot::Label{.at = {length / 2, length / 2},
                                         .text = "computing",
                                         .role = plot::Role::dim,
                                         .anchor_x = 0.5,
                                         .anchor_y = 0.5});
    figure.panels = {panel};
    figure.row_weights = figure.column_weights = {1.0};
    figure.report = figure.title + "\n";
    return figure;
}

/// What is known; until the rest is there, what can be said already.
plot::Figure figure(const Scene& scene, Engine& engine, const Work& work) {
    const std::shared_ptr<const AttentionState> known = known_attention_state(scene, engine.name());
    return known ? figure_of(*known, scene, engine, work) : waiting_figure(scene);
}

bool quick(const Scene& scene, const Engine& engine) {
    return is_quick(scene) && engine.name() == "cpu";  // a frame waits for no device
}

plot::Figure refined(const Scene& scene, Engine& engine, const Work& work) {
    try {
        return figure_of(*make_attention_state(scene, engine, work), scene, engine, work);
    } catch (const ForwardCancelled&) {
        return waiting_figure(scene);  // nobody looks at it
    }
}

std::vector<plot::Readout> map_readouts(const AttentionState& state, const Scene& scene,
                                        plot::Point at) {
    const OpenedHead opened = opened_head(scene, state.config);
    const HeadMap& map = state.map(opened.layer, opened.head);
    const auto cell_of = [&](double place) {
        const double last = static_cast<double>(map.cells - 1);
        const double cell = std::floor(place / static_cast<double>(map.block));
        return std::isfinite(cell) ? static_cast<std::int64_t>(std::clamp(cell, 0.0, last)) : 0;
    };
    const std::int64_t query = cell_of(at.y), key = cell_of(at.x);
    const auto i = static_cast<std::size_t>(query * map.cells + key);
    const auto token = [&](std::int64_t cell) {
        const std::int64_t position = cell * map.block;
        return whole_text(position) + "  " + state.tokens.words[static_cast<std::size_t>(position)];
    };
    const float off = state.unrotated_map(opened.layer, opened.head).scores[i];
    return {{"query", token(query)},
            {"key", token(key)},
            {"distance", whole_text((key - query) * map.block)},
            {"score", signed_text(static_cast<double>(map.scores[i]), 4)},
            {"score without RoPE", signed_text(static_cast<double>(off), 4)},
            {"probability", fixed_text(static_cast<double>(map.probs[i]), 5) +
                                (key * map.block >= state.seen ? ", masked" : "")}};
}

std::int64_t nearest(double place, std::int64_t count) {
    const double last = static_cast<double>(count - 1);
    return std::isfinite(place) ? std::llround(std::clamp(place, 0.0, last)) : 0;
}

std::vector<plot::Readout> head_readouts(const AttentionState& state, plot::Point at) {
    const std::int64_t layer = nearest(at.y, state.config.n_layers);
    const std::int64_t head = nearest(at.x, state.config.n_heads);
    const HeadMap& map = state.map(layer, head);
    const auto [low, high] = std::ranges::minmax(map.scores);
    return {
        {"layer", whole_text(layer)},
        {"head", whole_text(head)},
        {"lowest score", signed_text(static_cast<double>(low), 4)},
        {"highest score", signed_text(static_cast<double>(high), 4)},
        {"highest probability", fixed_text(static_cast<double>(std::ranges::max(map.probs)), 5)}};
}

std::vector<plot::Readout> distance_readouts(const AttentionState& state, const Scene& scene,
                                             plot::Point at) {
    const OpenedHead opened = opened_head(scene, state.config);
    const HeadMap& map = state.map(opened.layer, opened.head);
    const HeadMap& off = state.unrotated_map(opened.layer, opened.head);
    const double bin =
        (at.x - static_cast<double>(map.first_distance)) / static_cast<double>(map.bin);
    const auto i =
        static_cast<std::size_t>(nearest(bin, static_cast<std::int64_t>(map.mean_score.size())));
    return {{"distance", whole_text(map.first_distance + static_cast<std::int64_t>(i) * map.bin)},
            {"mean score", signed_text(map.mean_score[i], 4)},
            {"deviation", fixed_text(map.deviation[i], 4)},
            {"mean without RoPE", signed_text(off.mean_score[i], 4)}};
}

std::vector<plot::Readout> readouts(const Scene& scene, std::string_view panel, plot::Point at) {
    const std::shared_ptr<const AttentionState> state = known_attention_state(scene);
    if (!state) {
        return {{"computing", "the forward pass"}};
    }
    if (panel == "map") {
        return map_readouts(*state, scene, at);
    }
    if (panel == "heads") {
        return head_readouts(*state, at);
    }
    if (panel == "distance") {
        return distance_readouts(*state, scene, at);
    }
    if (panel != "shift") {
        return {};
    }
    const auto layer = nearest(at.x, state->config.n_layers);
    const MapChange& change = state->changes[static_cast<std::size_t>(layer)];
    return {{"layer", whole_text(layer)},
            {"largest change, score", fmt::format("{:.3g}", change.score)},
            {"largest change, probability", fmt::format("{:.3g}", change.prob)}};
}

/// A small map opens its head.
Scene clicked(const Scene& scene, std::string_view panel, plot::Point at) {
    Scene next = scene;
    const std::shared_ptr<const AttentionState> state = known_attention_state(scene);
    if (panel == "heads" && state) {
        next.attention_layer = nearest(at.y, state->config.n_layers);
        next.attention_head = nearest(at.x, state->config.n_heads);
    }
    return next;
}

}  // namespace

View attention_view() {
    return {
        .id = "attention",
        .name = "Attention",
        .group = "Real models",
        .question = "What does a whole encoder make of it?",
        .parameters = {"attention_quantity", "attention_layer", "attention_head", "attention_shift",
                       "attention_table", "attention_source", "attention_folder", "attention_text",
                       "attention_tokens", "attention_padding", "attention_segment",
                       "content_seed"},
        .figure = figure,
        .refined = refined,
        .quick = quick,
        .readouts = readouts,
        .clicked = clicked,
        .what_you_see =
            "A RoFormer's forward pass on the tokens at the left. A small map a head: a row a "
            "query, a column a key. Below: the opened head's scores by distance, and how much "
            "moving all tokens changes them, layer by layer.",
        .what_to_try =
            "Move the shift: with an fp32 table nothing happens, for only distances count. Take "
            "the bf16 table of the notebook: now it does. Show RoPE's effect, click other heads, "
            "pad the tokens, "
            "open the notebook's configuration or a checkpoint's folder.",
        .formulas = {"softmax(Q_{m} K_{n}^{T} / √d + mask) V", "Q_{m} = R_{m} W_{q} x_{m}"},
        .formula_source = "RoFormer, eq. 14–16; document 000",
    };
}

}  // namespace ropescope::figures
