// The attention view: its title, its figure, and what a click does.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "app/figures/attention/maps.h"
#include "app/figures/attention/panels.h"
#include "app/figures/describe.h"
#include "app/figures/text.h"
#include "app/figures/views.h"
#include "app/plot/number_text.h"
#include "app/plot/pick.h"

namespace ropescope::figures {
namespace {

std::string title(const AttentionState& state, const Scene& scene) {
    if (scene.attention_shift == 0) {
        return "What every head of a whole encoder makes of the distance between two tokens";
    }
    const std::string moved =
        fmt::format("Move every token by {}", counted(scene.attention_shift, "position"));
    if (state.shift != scene.attention_shift) {
        return moved + ": computing what changes";
    }
    const std::string by = plot::number_text(two_digits_up(state.largest.score));
    const auto changed = std::ranges::find_if(
        state.changes, [&](const MapChange& at) { return at.score > state.rounding(); });
    if (changed == state.changes.end()) {
        return fmt::format("{}: no score changes by more than {} (rounding)", moved, by);
    }
    const Index first = changed - state.changes.begin();
    return fmt::format("{}: scores change by up to {}{}{}", moved, by,
                       first == 0 ? "" : fmt::format(" from layer {} on", first),
                       scene.attention_table == TableDtype::bf16 ? ", with a bf16 table"
                       : state.config.rotary_value               ? "; values are rotated too"
                                                                 : "");
}

std::string subtitle(const AttentionState& state, const Scene& scene) {
    const EncoderConfig& config = state.config;
    const OpenedHead at = opened_head(scene, config);
    const HeadMap& map = state.map(at.layer, at.head);
    std::string text =
        fmt::format("{}: {} × {}, {}, {}. Left: {}", state.model, counted(config.n_layers, "layer"),
                    counted(config.n_heads, "head"), encoding_sizes(config.rope()),
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

/// Shown while no forward pass is known.
plot::Figure waiting_figure(const Scene& scene) {
    const double length = to_double(scene.attention_tokens);
    plot::Figure figure;
    figure.view = "attention";
    figure.title = "Running the encoder with RoPE, without it, and at moved positions";
    figure.subtitle = scene.attention_source == AttentionSource::full
                          ? "The RoFormer notebook's configuration."
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

Picture waiting_picture(const Scene& scene) {
    return {.figure = waiting_figure(scene), .readouts = [](std::string_view, plot::Point) {
                return std::vector<plot::Readout>{{"computing", "the forward pass"}};
            }};
}

/// A click on a small map opens its head.
Picture picture_of(const std::shared_ptr<const AttentionState>& state, const Scene& scene,
                   Engine& engine, const Work& work) {
    return {
        .figure = figure_of(*state, scene, engine, work),
        .readouts = [state, opened = opened_head(scene, state->config)](
                        std::string_view panel,
                        plot::Point at) { return attention_readouts(*state, opened, panel, at); },
        .clicked =
            [state](const Scene& from, std::string_view panel, plot::Point at) {
                Scene next = from;
                if (panel == "heads") {
                    next.attention_layer = plot::pick_index(at.y, state->config.n_layers);
                    next.attention_head = plot::pick_index(at.x, state->config.n_heads);
                }
                return next;
            }};
}

/// What is known already, until the rest has been computed. Another thread may complete it at any
/// moment, so whether this is a draft is decided by the same look that found what is shown.
Picture draft_picture(const Scene& scene, Engine& engine, const Work& work) {
    const auto whole = known_attention_state(scene, engine, *work.cache);
    const auto shown = whole ? whole : nearest_attention_state(scene, engine, *work.cache);
    Picture picture = shown ? picture_of(shown, scene, engine, work) : waiting_picture(scene);
    picture.draft = whole == nullptr;
    return picture;
}

Picture make(const Scene& scene, Engine& engine, const Work& work) {
    if (work.may_draft && !is_quick(scene, engine)) {
        return draft_picture(scene, engine, work);
    }
    try {
        return picture_of(make_attention_state(scene, engine, work), scene, engine, work);
    } catch (const ForwardCancelled&) {
        return waiting_picture(scene);  // nobody will look at it
    }
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
        .make = make,
        .what_you_see =
            "A RoFormer's forward pass on the tokens at the left. Each head has a small map: one "
            "row per query, one column per key. Below: the scores of the opened head by distance, "
            "and how much they change in each layer when all tokens move.",
        .what_to_try =
            "Change the shift: with an fp32 table scores change by rounding alone, because only "
            "distances count (a model with rotary_value rotates its values too, and its scores "
            "change); with the bf16 table of the RoFormer notebook they change by more. Show "
            "RoPE's effect, click other heads, pad the tokens, open a checkpoint's folder.",
        .formulas = {"softmax(Q_{m} K_{n}^{T} / √d + mask) V", "Q_{m} = R_{m} W_{q} x_{m}"},
        .formula_source = "RoFormer, eq. 14–16; the RoFormer notebook",
    };
}

}  // namespace ropescope::figures
