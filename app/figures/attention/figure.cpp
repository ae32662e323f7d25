// Puts the attention view together: its curves, the values under the cursor and clicks.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "app/figures/attention/attention.h"
#include "app/figures/shared/describe.h"
#include "app/figures/shared/text.h"
#include "app/plot/number_text.h"
#include "app/plot/pick.h"
#include "core/base/characters.h"

namespace ropescope::figures {
namespace {

using plot::Point;
using plot::Role;

std::vector<Point> curve(const HeadMap& map, double deviations) {
    std::vector<Point> points;
    for (Index i = 0; i < std::ssize(map.mean_score); ++i) {
        const double middle = to_double(map.first_distance) + to_double(map.bin) * to_double(i) +
                              0.5 * to_double(map.bin - 1);
        points.push_back({middle, map.mean_score[i] + deviations * map.deviation[i]});
    }
    return points;
}

plot::Panel distance_panel(const AttentionState& state, const Scene& scene) {
    const OpenedHead at = opened_head(scene, state.config);
    const HeadMap& on = state.map(at.layer, at.head);
    const HeadMap& off = state.unrotated_map(at.layer, at.head);
    plot::Area band{
        .low = curve(on, -1), .high = curve(on, 1), .role = Role::first, .opacity = 0.25};
    plot::Line with{.points = curve(on, 0), .role = Role::first, .label = "RoPE"};
    plot::Line without{.points = curve(state.other ? map_of(state, ShownPass::other, at) : off, 0),
                       .role = state.other ? Role::second : Role::dim,
                       .width = 0.8,
                       .dash = plot::Dash::dashed,
                       .label = state.other ? "other" : "off"};
    double most = 0;
    for (const std::vector<Point>* points : {&band.low, &band.high, &without.points}) {
        for (const Point& point : *points) {
            most = std::max(most, std::abs(point.y));
        }
    }
    most = most > 0 ? 1.15 * most : 1;
    const double reach = to_double(std::max<Index>(1, state.tokens.count() - 1));
    plot::Panel panel{.id = "distance",
                      .title = "score by distance: mean ± deviation",
                      .x = {.label = "distance key − query (positions)",
                            .min = -reach,
                            .max = reach,
                            .integers = true,
                            .signs = true},
                      .y = {.min = -most, .max = most}};
    panel.marks.emplace_back(
        plot::Rule{.vertical = false, .at = 0, .role = Role::line, .dashed = false});
    panel.marks.emplace_back(std::move(band));
    panel.marks.emplace_back(std::move(without));
    panel.marks.emplace_back(std::move(with));
    return panel;
}

plot::Panel shift_panel(const AttentionState& state, const Scene& scene) {
    constexpr double kFloor = 1e-9;  // what a logarithmic axis shows of zero
    const Role role = state.largest.score > state.rounding() ? Role::wrong : Role::right;
    std::vector<Point> scores;
    for (Index layer = 0; layer < std::ssize(state.changes); ++layer) {
        scores.push_back({to_double(layer), std::max(kFloor, state.changes[layer].score)});
    }
    const double last = to_double(state.config.n_layers) - 0.5;
    const bool computing = state.shift != scene.attention_shift;
    plot::Panel panel{
        .id = "shift",
        .title = "largest change of a score",
        .corners = {.top_right = computing
                                     ? plot::Text("not computed yet")
                                     : plot::say("{} table", to_string(scene.attention_table))},
        .x = {.label = "layer", .min = -0.5, .max = last, .integers = true},
        .y = {.min = kFloor, .max = 1, .scale = plot::AxisScale::log10}};
    // Half a step of fp32 at the largest score.
    panel.marks.emplace_back(plot::Rule{
        .vertical = false, .at = std::max(kFloor, 0x1p-24 * state.scale.score), .label = "fp32"});
    if (!computing) {
        panel.marks.emplace_back(plot::Line{.points = scores, .role = role, .width = 0.8});
        panel.marks.emplace_back(plot::Points{.points = scores, .role = role, .radius_px = 4});
    }
    return panel;
}

std::vector<plot::Readout> map_readouts(const AttentionState& state, ShownPass side,
                                        OpenedHead opened, plot::Point at) {
    const HeadMap& map = map_of(state, side, opened);
    const double block = to_double(map.block);
    const Index query = plot::pick_cell(at.y / block, map.cells);
    const Index key = plot::pick_cell(at.x / block, map.cells);
    const Index i = query * map.cells + key;
    const auto token = [&](Index cell) {
        const Index position = cell * map.block;
        return whole_text(position) + "  " + tokens_of(state, side).words[position];
    };
    const float off = unrotated_map_of(state, side, opened).scores[i];
    return {{"query", token(query)},
            {"key", token(key)},
            {"distance", whole_text((key - query) * map.block)},
            {"score", signed_text(map.scores[i], 4)},
            {"score without RoPE", signed_text(off, 4)},
            {"probability",
             fixed_text(map.probs[i], 5) + (key * map.block >= state.seen ? ", masked" : "")}};
}

std::vector<plot::Readout> head_readouts(const AttentionState& state, ShownPass side,
                                         plot::Point at) {
    const Index layer = plot::pick_index(at.y, state.config.n_layers);
    const Index head = plot::pick_index(at.x, state.config.n_heads);
    const HeadMap& map = map_of(state, side, {layer, head});
    const auto [low, high] = std::ranges::minmax(map.scores);
    std::vector<plot::Readout> values = {
        {"layer", whole_text(layer)},
        {"head", whole_text(head)},
        {"lowest score", signed_text(low, 4)},
        {"highest score", signed_text(high, 4)},
        {"highest probability", fixed_text(std::ranges::max(map.probs), 5)}};
    if (const AttentionPass& pass = pass_of(state, side); !pass.roles.empty()) {
        const RoleShares& shares = pass.roles[layer * state.config.n_heads + head];
        for (const HeadRole role : kMeasuredRoles) {
            values.push_back(
                {fmt::format("to {}", to_string(role)), fixed_text(shares.of(role), 3)});
        }
    }
    return values;
}

std::vector<plot::Readout> prediction_readouts(const AttentionState& state, ShownPass side,
                                               plot::Point at) {
    const std::vector<ShownPrediction> rows = shown_predictions(pass_of(state, side));
    if (rows.empty()) {
        return {};
    }
    const ShownPrediction& row = rows[plot::pick_index(at.y, std::ssize(rows))];
    const Prediction& named = *row.named;
    return {{"place", whole_text(row.place->position)},
            {"piece", piece_text(state, named.id)},
            {"id", whole_text(named.id)},
            {"probability of the piece", fixed_text(named.probability, 5)}};
}

std::vector<plot::Readout> distance_readouts(const AttentionState& state, OpenedHead opened,
                                             plot::Point at) {
    const HeadMap& map = state.map(opened.layer, opened.head);
    const HeadMap& beside = state.other ? map_of(state, ShownPass::other, opened)
                                        : state.unrotated_map(opened.layer, opened.head);
    const double bin = (at.x - to_double(map.first_distance)) / to_double(map.bin);
    const Index i = plot::pick_index(bin, std::ssize(map.mean_score));
    return {{"distance", whole_text(map.first_distance + i * map.bin)},
            {"mean score", signed_text(map.mean_score[i], 4)},
            {"deviation", fixed_text(map.deviation[i], 4)},
            {state.other ? "mean of the other" : "mean without RoPE",
             signed_text(beside.mean_score[i], 4)}};
}

std::vector<plot::Readout> shift_readouts(const AttentionState& state, plot::Point at) {
    const Index layer = plot::pick_index(at.x, state.config.n_layers);
    const MapChange& change = state.changes[layer];
    return {{"layer", whole_text(layer)},
            {"largest change, score", plot::few_digits_text(change.score, 3)},
            {"largest change, probability", plot::few_digits_text(change.prob, 3)}};
}

/// The token whose word was clicked, left of the map's rows or above its columns.
std::optional<Index> clicked_word(const AttentionState& state, ShownPass side, plot::Point at) {
    if (at.x >= 0 && at.y >= 0) {
        return std::nullopt;
    }
    const Index place = plot::pick_cell(at.x < 0 ? at.y : at.x, state.tokens.count());
    return side == ShownPass::own ? place : state.order[place];
}

/// A click on a word masks that token, or shows it again.
Scene mask_word(const AttentionState& state, ShownPass side, Scene scene, plot::Point at) {
    if (state.tokens.mask_id) {
        if (const auto token = clicked_word(state, side, at)) {
            scene.attention_masked = *token == scene.attention_masked ? 0 : *token;
        }
    }
    return scene;
}

/// The tokens beside the text field, with what a click does; none for a long text.
std::vector<PictureWord> words_of(const std::shared_ptr<const AttentionState>& state) {
    constexpr Index kMostChips = 40;
    std::vector<PictureWord> words;
    if (!state->tokens.mask_id || state->tokens.count() > kMostChips) {
        return words;
    }
    for (Index i = 0; i < state->tokens.count(); ++i) {
        PictureWord word{.text = state->tokens.words[i], .marked = state->tokens.is_mask(i)};
        if (may_be_masked(state->tokens, i)) {
            word.clicked = [i](Scene scene) {
                scene.attention_masked = i == scene.attention_masked ? 0 : i;
                return scene;
            };
        }
        words.push_back(std::move(word));
    }
    return words;
}

/// A click on a small map opens its head.
Scene open_head(const AttentionState& state, Scene scene, plot::Point at) {
    scene.attention_layer = plot::pick_index(at.y, state.config.n_layers);
    scene.attention_head = plot::pick_index(at.x, state.config.n_heads);
    return scene;
}

/// Puts the panels of a scene into a picture.
class PanelsOf {
  public:
    PanelsOf(Picture& picture, std::shared_ptr<const AttentionState> state, const Scene& scene,
             const plot::LiveCells& live)
        : picture_(picture), state_(std::move(state)), scene_(scene), live_(live) {}

    /// One pass: its map at the left, with the predictions below it if there are any.
    void arrange_one() {
        const auto predictions = predictions_panel(*state_, scene_);
        add_map(ShownPass::own, 0, 0, predictions ? 2 : 3);
        add_heads(ShownPass::own, 0, 1);
        add_distances(1, 1);
        add_shift(2, 1);
        picture_.figure.row_weights = {1.5, 1.0, 0.85};
        if (predictions) {
            add_predictions(*predictions, ShownPass::own, 2, 0);
            picture_.figure.row_weights = {1.5, 0.75, 0.9};
        }
        picture_.figure.column_weights = {1.3, 1.0};
    }
    /// Two passes side by side: their maps, and below each all heads beside the predictions, or
    /// curves if there are none.
    void arrange_two() {
        const auto own = predictions_panel(*state_, scene_);
        const auto other = predictions_panel(*state_, scene_, ShownPass::other);
        const bool predicted = own && other;
        add_map(ShownPass::own, 0, 0, 1, 2);
        add_map(ShownPass::other, 0, 2, 1, 2);
        add_heads(ShownPass::own, 1, 0, predicted ? 1 : 2);
        add_heads(ShownPass::other, 1, 2, predicted ? 1 : 2);
        picture_.figure.row_weights = {2.2, 1.0};
        // Words of predictions need more room than the small maps beside them.
        picture_.figure.column_weights = {0.75, 1.25, 0.75, 1.25};
        if (predicted) {
            add_predictions(*own, ShownPass::own, 1, 1);
            add_predictions(*other, ShownPass::other, 1, 3);
        } else if (scene_.attention_compare != AttentionCompare::reversed) {
            // By distance, two orders of the same words are two different texts.
            add_distances(2, 0, 2);
            add_shift(2, 2, 2);
            picture_.figure.row_weights = {1.4, 1.2, 0.9};
        }
    }

  private:
    void add(plot::Panel panel, int row, int column, Answers answers, int columns = 1) {
        panel.row = row;
        panel.column = column;
        panel.column_span = columns;
        picture_.add(std::move(panel), std::move(answers));
    }
    void add_map(ShownPass side, int row, int column, int rows, int columns = 1) {
        const plot::LiveCells none;
        plot::Panel panel = map_panel(*state_, scene_, side, side == ShownPass::own ? live_ : none);
        panel.row_span = rows;
        const auto readouts = [side, opened = opened()](const AttentionState& of, plot::Point at) {
            return map_readouts(of, side, opened, at);
        };
        const auto clicked = [side](const AttentionState& of, Scene scene, plot::Point at) {
            return mask_word(of, side, std::move(scene), at);
        };
        add(std::move(panel), row, column, {state_, readouts, clicked}, columns);
    }
    void add_heads(ShownPass side, int row, int column, int columns = 1) {
        const auto readouts = [side](const AttentionState& of, plot::Point at) {
            return head_readouts(of, side, at);
        };
        add(heads_panel(*state_, scene_, side), row, column, {state_, readouts, open_head},
            columns);
    }
    void add_predictions(const plot::Panel& panel, ShownPass side, int row, int column) {
        const auto readouts = [side](const AttentionState& of, plot::Point at) {
            return prediction_readouts(of, side, at);
        };
        add(panel, row, column, {state_, readouts});
    }
    void add_distances(int row, int column, int columns = 1) {
        const auto readouts = [opened = opened()](const AttentionState& of, plot::Point at) {
            return distance_readouts(of, opened, at);
        };
        add(distance_panel(*state_, scene_), row, column, {state_, readouts}, columns);
    }
    void add_shift(int row, int column, int columns = 1) {
        add(shift_panel(*state_, scene_), row, column, {state_, shift_readouts}, columns);
    }
    OpenedHead opened() const { return opened_head(scene_, state_->config); }

    Picture& picture_;
    std::shared_ptr<const AttentionState> state_;
    const Scene& scene_;
    const plot::LiveCells& live_;
};

Picture picture_of(const std::shared_ptr<const AttentionState>& state, const Scene& scene,
                   Engine& engine, const Work& work) {
    using Kind = plot::LegendEntry::Kind;
    const plot::LiveCells live = work.live ? live_map(*state, scene, engine) : plot::LiveCells{};
    Picture picture;
    PanelsOf panels(picture, state, scene, live);
    state->other ? panels.arrange_two() : panels.arrange_one();
    plot::Figure& figure = picture.figure;
    figure.view = "attention";
    figure.title = attention_title(*state, scene);
    figure.subtitle = attention_subtitle(*state, scene);
    picture.words = words_of(state);
    figure.legend = {{"query", plot::Role::query, Kind::point},
                     {"key", plot::Role::key, Kind::point}};
    figure.engine_seconds = state->engine_seconds;
    if (!live.tensor) {
        figure.data = attention_data(*state, scene);
        figure.report =
            report_head(figure, state->config.rope()) + "\n" + attention_report(*state, scene);
    }
    return picture;
}

/// Shown while no forward pass is known.
Picture waiting_picture(const Scene& scene) {
    const double length = to_double(scene.attention_tokens);
    Picture picture;
    plot::Figure& figure = picture.figure;
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
    Answers waiting;
    waiting.readouts = [](plot::Point) {
        return std::vector<plot::Readout>{{"not computed yet", "the forward pass"}};
    };
    picture.add(std::move(panel), std::move(waiting));
    figure.row_weights = figure.column_weights = {1.0};
    figure.report = figure.title + "\n";
    return picture;
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
        .key = 'A',
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
        .carries_results = true,
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
