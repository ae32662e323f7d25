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
#include "core/base/printable.h"

namespace ropescope::figures {
namespace {

/// "“shoes” gets 31.2 % in the place of [MASK], and 0.4 % with RoPE switched off"
std::string compared_title(const AttentionState& state, const Scene& scene) {
    const PlacePredictions* own = chosen_place(*state.pass, scene);
    const PlacePredictions* other = chosen_place(*state.other->pass, scene);
    if (own != nullptr && other != nullptr && !own->best.empty() && !other->best.empty()) {
        const auto says = [&](const PlacePredictions& place) {
            return fmt::format("“{}” ({} %)", piece_text(state, place.best.front().id),
                               fixed_text(100 * place.best.front().probability, 1));
        };
        return fmt::format("In the place of [MASK] the model puts {}; with {}: {}", says(*own),
                           state.other->name, says(*other));
    }
    if (!state.other->largest) {
        return "The same text twice, the second time with " + state.other->name;
    }
    return fmt::format("With {}, scores differ by up to {}, probabilities by up to {}",
                       state.other->name,
                       plot::number_text(two_digits_up(state.other->largest->score)),
                       plot::number_text(two_digits_up(state.other->largest->prob)));
}

std::string title(const AttentionState& state, const Scene& scene) {
    if (state.other) {
        return compared_title(state, scene);
    }
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
                       scene.attention_table == NumberFormat::bf16 ? ", with a bf16 table"
                       : state.config.rotary_value                 ? "; values are rotated too"
                                                                   : "");
}

std::string subtitle(const AttentionState& state, const Scene& scene) {
    const EncoderConfig& config = state.config;
    const OpenedHead at = opened_head(scene, config);
    const HeadMap& map = state.map(at.layer, at.head);
    std::string text =
        fmt::format("{}: {} × {}, {}, {}. {}: {}", state.model, counted(config.n_layers, "layer"),
                    counted(config.n_heads, "head"), encoding_sizes(config.rope()),
                    counted(state.tokens.count(), "token"),
                    state.other ? "Both large maps" : "Large map", quantity_name(scene));
    if (state.other) {
        text += ", the second with " + state.other->name;
    }
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

plot::Panel placed(plot::Panel panel, int row, int column, int rows = 1) {
    panel.row = row;
    panel.column = column;
    panel.row_span = rows;
    return panel;
}

/// One pass: its map at the left, with the predictions below it if there are any.
void arrange_one(plot::Figure& figure, const AttentionState& state, const Scene& scene,
                 const plot::LiveCells& live) {
    const auto predictions = predictions_panel(state, scene);
    figure.panels = {placed(map_panel(state, scene, Side::own, live), 0, 0, predictions ? 2 : 3),
                     placed(heads_panel(state, scene), 0, 1),
                     placed(distance_panel(state, scene), 1, 1),
                     placed(shift_panel(state, scene), 2, 1)};
    figure.row_weights = {1.5, 1.0, 0.85};
    if (predictions) {
        figure.panels.push_back(placed(*predictions, 2, 0));
        figure.row_weights = {1.5, 0.75, 0.9};
    }
    figure.column_weights = {1.3, 1.0};
}

/// Two passes side by side: maps, all heads, and predictions, or curves if there are none.
void arrange_two(plot::Figure& figure, const AttentionState& state, const Scene& scene,
                 const plot::LiveCells& live) {
    const auto own = predictions_panel(state, scene);
    const auto other = predictions_panel(state, scene, Side::other);
    const bool predicts = own && other;
    figure.panels = {placed(map_panel(state, scene, Side::own, live), 0, 0),
                     placed(map_panel(state, scene, Side::other), 0, 1),
                     placed(heads_panel(state, scene), 1, 0),
                     placed(heads_panel(state, scene, Side::other), 1, 1),
                     placed(predicts ? *own : distance_panel(state, scene), 2, 0),
                     placed(predicts ? *other : shift_panel(state, scene), 2, 1)};
    figure.row_weights = {1.4, 1.2, 0.9};
    figure.column_weights = {1.0, 1.0};
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
    (state.other ? arrange_two : arrange_one)(figure, state, scene, live);
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
    figure.title = "Not computed yet: the encoder with RoPE, without it, and at moved positions";
    figure.subtitle = scene.attention_source == AttentionSource::folder
                          ? printable(scene.attention_folder)
                          : "An encoder of the program.";
    plot::Panel panel{.id = "map",
                      .title = "the opened head",
                      .x = {.label = "key position", .max = length, .integers = true},
                      .y = {.label = "query position", .min = length, .max = 0, .integers = true}};
    panel.marks.emplace_back(plot::Label{.at = {length / 2, length / 2},
                                         .text = "not computed yet",
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
                return std::vector<plot::Readout>{{"not computed yet", "the forward pass"}};
            }};
}

/// The token whose word was clicked, left of the map's rows or above its columns.
std::optional<Index> clicked_word(const AttentionState& state, plot::Point at) {
    if (at.x >= 0 && at.y >= 0) {
        return std::nullopt;
    }
    return plot::pick_cell(at.x < 0 ? at.y : at.x, state.tokens.count());
}

/// A click on a small map opens its head, one on a word masks that token, or shows it again.
Scene clicked(const AttentionState& state, const Scene& scene, std::string_view panel,
              plot::Point at) {
    Scene next = scene;
    if (panel.starts_with("heads")) {
        next.attention_layer = plot::pick_index(at.y, state.config.n_layers);
        next.attention_head = plot::pick_index(at.x, state.config.n_heads);
    }
    if (panel.starts_with("map") && state.tokens.mask_id) {
        if (const auto token = clicked_word(state, at)) {
            next.attention_masked = *token == scene.attention_masked ? 0 : *token;
        }
    }
    return next;
}

Picture picture_of(const std::shared_ptr<const AttentionState>& state, const Scene& scene,
                   Engine& engine, const Work& work) {
    return {.figure = figure_of(*state, scene, engine, work),
            .readouts =
                [state, scene](std::string_view panel, plot::Point at) {
                    return attention_readouts(*state, scene, panel, at);
                },
            .clicked = [state](const Scene& from, std::string_view panel,
                               plot::Point at) { return clicked(*state, from, panel, at); }};
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

std::string compute(const Scene& scene, Engine& engine, const Work& work) {
    return pack_attention_state(*make_attention_state(scene, engine, work));
}

void deliver(std::string_view bytes, const Scene& scene, const Engine& engine, FigureCache& cache) {
    deliver_attention_state(bytes, scene, engine, cache);
}

}  // namespace

View attention_view() {
    return {
        .id = "attention",
        .name = "Attention",
        .group = "Real models",
        .question = "What does a whole encoder make of it?",
        .parameters = {"attention_quantity", "attention_layer", "attention_head", "attention_shift",
                       "attention_table", "attention_source", "attention_folder",
                       "attention_compare", "attention_text", "attention_masked",
                       "attention_tokens", "attention_padding", "attention_segment",
                       "content_seed"},
        .only_when = {{{"content_seed"}, has_random_weights}},
        .make = make,
        .delivery = {compute, deliver},
        .what_you_see =
            "A RoFormer's forward pass on the tokens beside the map. Each head has a small map: "
            "one row per query, one column per key, and below it what the head does in this text, "
            "with its share. More panels show scores by distance, their change when all tokens "
            "move, and what the model would put in the place of [MASK].",
        .what_to_try =
            "Click a word to mask it. Write a text of your own. Compare the model with itself "
            "without RoPE, with the wrong layout, or with its twin without positions. Change the "
            "shift: with an fp32 table scores change by rounding alone, because only distances "
            "count; with a bf16 table they change by more.",
        .formulas = {"softmax(Q_{m} K_{n}^{T} / √d + mask) V", "Q_{m} = R_{m} W_{q} x_{m}"},
        .formula_source = "RoFormer, eq. 14–16; the d2l RoFormer notebook",
    };
}

}  // namespace ropescope::figures
