// Draws the maps of the attention view, and what the model predicts.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "app/figures/attention/attention.h"
#include "app/figures/shared/text.h"
#include "core/base/characters.h"

namespace ropescope::figures {

const AttentionPass& pass_of(const AttentionState& state, ShownPass side) {
    return side == ShownPass::own ? *state.pass : *state.other->pass;
}

const HeadMap& map_of(const AttentionState& state, ShownPass side, OpenedHead at) {
    return pass_of(state, side).maps[at.layer * state.config.n_heads + at.head];
}

const HeadMap& unrotated_map_of(const AttentionState& state, ShownPass side, OpenedHead at) {
    const bool other = side == ShownPass::other && state.other->unrotated;
    const AttentionPass& pass = other ? *state.other->unrotated : *state.unrotated;
    return pass.maps[at.layer * state.config.n_heads + at.head];
}

const Tokens& tokens_of(const AttentionState& state, ShownPass side) {
    return side == ShownPass::own ? state.tokens : state.other_tokens;
}

namespace {

/// Cell by cell: scores before the mask, probabilities, or how much RoPE changes the scores.
std::vector<float> map_values(const AttentionState& state, const Scene& scene, ShownPass side,
                              OpenedHead at) {
    const HeadMap& map = map_of(state, side, at);
    if (scene.attention_quantity == AttentionQuantity::softmax) {
        return map.probs;
    }
    std::vector<float> values = map.scores;
    if (scene.attention_quantity == AttentionQuantity::effect) {
        const std::vector<float>& off = unrotated_map_of(state, side, at).scores;
        std::transform(values.begin(), values.end(), off.begin(), values.begin(),
                       [](float with, float without) { return with - without; });
    }
    return values;
}

/// The same with its colours.
plot::HeatMap heat_map(const AttentionState& state, const Scene& scene, ShownPass side,
                       OpenedHead at) {
    const HeadMap& map = map_of(state, side, at);
    const double most = map_limit(state, scene);
    const bool positive = scene.attention_quantity == AttentionQuantity::softmax;
    return {.columns = map.cells,
            .rows = map.cells,
            .values = map_values(state, scene, side, at),
            .dx = to_double(map.block),
            .dy = to_double(map.block),
            .min = positive ? 0.0 : -most,
            .max = most,
            .map = positive ? plot::ColorMap::viridis : plot::ColorMap::diverging,
            .label = quantity_name(scene)};
}

}  // namespace

double map_limit(const AttentionState& state, const Scene& scene) {
    const double limit = scene.attention_quantity == AttentionQuantity::softmax ? state.scale.prob
                         : scene.attention_quantity == AttentionQuantity::scores
                             ? state.scale.score
                             : state.scale.rope_effect;
    return limit > 0 ? limit : 1.0;
}

std::string quantity_name(const Scene& scene) {
    if (scene.attention_quantity == AttentionQuantity::softmax) {
        return "probability after softmax";
    }
    return scene.attention_quantity == AttentionQuantity::scores ? "score before the mask"
                                                                 : "score with RoPE − without";
}

namespace {

/// The means of blocks of cells of a map [side, side], as few as give at most `most` to a side.
SmallMap shrunk(std::vector<float> values, Index side, Index most) {
    const Index by = (side + most - 1) / most;
    if (by <= 1) {
        return {side, std::move(values)};
    }
    const Index small = (side + by - 1) / by;
    std::vector<double> sums(small * small), counts(small * small);
    for (Index row = 0; row < side; ++row) {
        for (Index column = 0; column < side; ++column) {
            const Index cell = row / by * small + column / by;
            sums[cell] += values[row * side + column];
            counts[cell] += 1;
        }
    }
    values.resize(sums.size());
    std::ranges::transform(sums, counts, values.begin(), [](double sum, double count) {
        return static_cast<float>(sum / count);
    });
    return {small, std::move(values)};
}

/// A tensor [batch 1, heads, positions, head_dim] has the rows of a head one after the other.
DeviceTensor upload_head(TensorOps& ops, const TraceTensor& tensor, Index head) {
    const Index positions = tensor.shape[2], head_dim = tensor.shape[3];
    const Index count = positions * head_dim;
    return ops.upload({tensor.floats.owner, tensor.values().subspan(head * count, count)},
                      positions, head_dim);
}

DeviceTensor upload_mask(TensorOps& ops, const AttentionState& state) {
    const Index count = state.tokens.count();
    if (state.seen == count) {
        return {};
    }
    const auto mask = std::make_shared<std::vector<float>>(count);
    std::fill(mask->begin() + state.seen, mask->end(), -std::numeric_limits<float>::max());
    return ops.upload({mask, *mask}, 1, count);
}

/// The scores before the mask or the probabilities of a head, times `sign`.
DeviceTensor device_map(TensorOps& ops, const AttentionState& state, const AttentionPass& pass,
                        OpenedHead at, bool softmax, double sign) {
    const LayerTrace& layer = pass.layers[at.layer];
    const Index count = state.tokens.count(), head_dim = state.config.head_dim();
    DeviceTensor map = ops.make(count, count);
    ops.attention({.shape = {1, 1, count, head_dim},
                   .q = upload_head(ops, layer.q_rot, at.head),
                   .k = upload_head(ops, layer.k_rot, at.head),
                   .v = {},
                   .added = {upload_mask(ops, state), true, false, false},
                   .scale = sign / std::sqrt(to_double(head_dim))},
                  {.context = {},
                   .scores = softmax ? DeviceTensor{} : map,
                   .probs = softmax ? map : DeviceTensor{},
                   .log_sums = {}});
    return map;
}

}  // namespace

plot::LiveCells live_map(const AttentionState& state, const Scene& scene, Engine& engine) {
    if (state.query_step > 1) {
        return {};  // not all queries are there
    }
    const std::unique_ptr<TensorOps> ops = engine.tensor_ops();
    if (!engine.drawable()) {
        return {};
    }
    const OpenedHead at = opened_head(scene, state.config);
    const bool softmax = scene.attention_quantity == AttentionQuantity::softmax;
    const DeviceTensor map = device_map(*ops, state, *state.pass, at, softmax, 1.0);
    if (scene.attention_quantity == AttentionQuantity::effect) {
        ops->add(map, device_map(*ops, state, *state.unrotated, at, false, -1.0), map);
    }
    ops->publish(map);
    const Index count = state.tokens.count();
    return {map,
            {.row_step = count,
             .block = state.map(at.layer, at.head).block,
             .rows = count,
             .columns = count,
             .largest = softmax}};
}

namespace {

using plot::Point;
using plot::Role;

/// Up to this many tokens are written as words on both axes; more are numbered by position.
constexpr Index kMostWords = 40;
constexpr double kSmallestWord = 0.6;  ///< share of its size before a word is left out

/// A word as far as it fits beside its neighbours.
std::string shortened(const std::string& word) {
    constexpr std::size_t kMostLetters = 9;
    return word.size() <= kMostLetters ? word : word.substr(0, kMostLetters - 1) + "…";
}

/// Room for words beside a map, as shares of its side.
struct WordRoom {
    double left, storey;
};

/// Words left of the rows and above the columns, these in up to three storeys.
void add_words(plot::Panel& panel, const Tokens& tokens, const WordRoom& room) {
    const Index count = tokens.count();
    const double length = to_double(count);
    const int storeys = count <= 9 ? 1 : count <= 16 ? 2 : 3;
    const double storey = room.storey * length;
    constexpr double kOfPadding = 0.03;  // of the panel, into which words at the left may reach
    for (Index i = 0; i < count; ++i) {
        const plot::Text word = plot::say("{}", shortened(tokens.words[i]));
        const double middle = to_double(i) + 0.5;
        panel.marks.emplace_back(plot::Label{.at = {-0.012 * length, middle},
                                             .text = word,
                                             .role = Role::query,
                                             .anchor_x = 1,
                                             .anchor_y = 0.5,
                                             .width = (room.left + kOfPadding) * length,
                                             .whole = true,
                                             .height = 1.15,
                                             .smallest = kSmallestWord});
        panel.marks.emplace_back(
            plot::Label{.at = {middle, -0.012 * length - storey * to_double(i % storeys)},
                        .text = word,
                        .role = Role::key,
                        .anchor_x = 0.5,
                        .anchor_y = 0,
                        .width = 0.96 * storeys,
                        .whole = true,
                        .height = 1.15 * storey,
                        .smallest = kSmallestWord});
    }
    panel.x = {.min = -room.left * length, .max = length, .visible = false};
    panel.y = {.min = length, .max = -0.012 * length - storey * storeys, .visible = false};
}

/// Hatches the keys that no query sees.
void add_mask(plot::Panel& panel, const AttentionState& state) {
    const double length = to_double(state.tokens.count());
    const double first = to_double(state.seen);
    if (first >= length) {
        return;
    }
    constexpr double kHatches = 24;
    const double width = length - first;
    for (double at = -width; at < length; at += length / kHatches) {
        // From (first, at) one down for each to the right, as far as it lies in the map.
        const double begin = std::max(0.0, -at), end = std::min(width, length - at);
        panel.marks.emplace_back(
            plot::Line{.points = {{first + begin, at + begin}, {first + end, at + end}},
                       .role = Role::dim,
                       .width = 0.5});
    }
    panel.marks.emplace_back(
        plot::Line{.points = {{first, 0}, {first, length}}, .role = Role::text, .width = 0.8});
    panel.corners.top_right = plot::say("masked keys hatched   ") + panel.corners.top_right;
}

/// "layer 1, head 2, previous 62 %", and beside it "RoPE switched off, next 51 %".
plot::Text map_title(const AttentionState& state, ShownPass side, OpenedHead at) {
    const auto role = state.role(pass_of(state, side), at.layer, at.head);
    const plot::Text does = role ? ", " + role_text(*role) : plot::Text();
    return side == ShownPass::other ? plot::Text(state.other->name) + does
                                    : plot::say("layer {}, head {}{}", at.layer, at.head, does);
}

}  // namespace

plot::Panel map_panel(const AttentionState& state, const Scene& scene, ShownPass side,
                      const plot::LiveCells& live) {
    const OpenedHead at = opened_head(scene, state.config);
    const double length = to_double(state.tokens.count());
    plot::Panel panel{.id = side == ShownPass::own ? "map" : "map.other",
                      .title = map_title(state, side, at),
                      .corners = {.top_right = "query ↓  key →"},
                      .x = {.label = "key position", .max = length, .integers = true},
                      .y = {.label = "query position", .min = length, .max = 0, .integers = true},
                      .color_bar = true};
    plot::HeatMap map = heat_map(state, scene, side, at);
    if (live.tensor) {
        map.live = live;
        map.values.clear();
    }
    panel.marks.emplace_back(std::move(map));
    add_mask(panel, state);
    if (state.tokens.count() <= kMostWords) {
        // Beside another map a map is smaller, and letters need more of its side.
        add_words(panel, tokens_of(state, side),
                  state.other ? WordRoom{0.19, 0.052} : WordRoom{0.155, 0.042});
    }
    return panel;
}

namespace {

using plot::Point;
using plot::Role;

constexpr double kThumbnail = 0.92;   ///< side of a small map; heads are 1 apart
constexpr double kRoleHeight = 0.28;  ///< of the words below it
constexpr Index kThumbnailCells = 1 << 14;

/// The small map of a head at (head, layer): means of the large one's cells, over `height`.
plot::HeatMap thumbnail(plot::HeatMap map, OpenedHead at, double height, Index most_cells) {
    SmallMap small = shrunk(std::move(map.values), map.columns, most_cells);
    map.values = std::move(small.values);
    map.columns = map.rows = small.side;
    map.dx = kThumbnail / to_double(small.side);
    map.dy = height / to_double(small.side);
    map.x0 = to_double(at.head) - kThumbnail / 2;
    map.y0 = to_double(at.layer) - kThumbnail / 2;
    return map;
}

/// One word for what the head does, so that the labels of all heads have the same size.
plot::Text short_role_text(const LabelledRole& role) {
    constexpr std::array<std::pair<HeadRole, std::string_view>, 6> kWords = {
        {{HeadRole::previous, "prev"},
         {HeadRole::next, "next"},
         {HeadRole::same_token, "same"},
         {HeadRole::delimiter, "delim"},
         {HeadRole::first_token, "first"},
         {HeadRole::by_distance, "dist"}}};
    for (const auto& [which, word] : kWords) {
        if (which == role.role) {
            return plot::say("{} {} %", word, fixed_text(100 * role.share, 0));
        }
    }
    return "mixed";
}

/// What the head does, below its small map.
plot::Label role_label(const LabelledRole& role, OpenedHead at) {
    return {.at = {to_double(at.head), to_double(at.layer) + 0.48 - kRoleHeight / 2},
            .text = short_role_text(role),
            .role = role.role == HeadRole::mixed ? Role::dim : Role::text,
            .anchor_x = 0.5,
            .anchor_y = 0.5,
            .width = 0.98,
            .whole = true,
            .height = 1.3 * kRoleHeight,
            .smallest = 0.6};
}

}  // namespace

plot::Text role_text(const LabelledRole& role) {
    return role.role == HeadRole::mixed
               ? plot::Text(to_string(role.role))
               : plot::say("{} {} %", to_string(role.role), fixed_text(100 * role.share, 0));
}

plot::Panel heads_panel(const AttentionState& state, const Scene& scene, ShownPass side) {
    const EncoderConfig& config = state.config;
    const OpenedHead opened = opened_head(scene, config);
    const double heads = to_double(config.n_heads), layers = to_double(config.n_layers);
    plot::Panel panel{.id = side == ShownPass::own ? "heads" : "heads.other",
                      .title = "every head",
                      .corners = {.top_right = "layer ↓  head →"},
                      .x = {.min = -0.5, .max = heads - 0.5, .integers = true},
                      .y = {.min = layers - 0.5, .max = -0.5, .integers = true}};
    const Index cells = floor_to_index(std::sqrt(to_double(kThumbnailCells) / (heads * layers)));
    for (Index layer = 0; layer < config.n_layers; ++layer) {
        for (Index head = 0; head < config.n_heads; ++head) {
            const OpenedHead at{layer, head};
            const auto role = state.role(pass_of(state, side), layer, head);
            panel.marks.emplace_back(thumbnail(heat_map(state, scene, side, at), at,
                                               role ? kThumbnail - kRoleHeight : kThumbnail,
                                               std::max<Index>(8, cells)));
            if (role) {
                panel.marks.emplace_back(role_label(*role, at));
            }
        }
    }
    const double x = to_double(opened.head), y = to_double(opened.layer);
    constexpr double kHalf = 0.49;
    panel.marks.emplace_back(plot::Line{.points = {{x - kHalf, y - kHalf},
                                                   {x + kHalf, y - kHalf},
                                                   {x + kHalf, y + kHalf},
                                                   {x - kHalf, y + kHalf},
                                                   {x - kHalf, y - kHalf}},
                                        .role = Role::query,
                                        .width = 1.2,
                                        .of_selection = true});
    return panel;
}

namespace {

using plot::Point;
using plot::Role;

/// A bar from 0 to `length` around `row`.
plot::Area bar(double length, double row, Role role) {
    constexpr double kHalf = 0.36;
    return {.low = {{0, row - kHalf}, {length, row - kHalf}},
            .high = {{0, row + kHalf}, {length, row + kHalf}},
            .role = role,
            .opacity = 0.55};
}

plot::Text place_title(const AttentionState& state, const Scene& scene, ShownPass side,
                       const PlacePredictions& place) {
    const Index token = side == ShownPass::own ? place.position : state.order[place.position];
    const bool hidden = token == scene.attention_masked && !state.tokens.hidden.empty();
    if (hidden && state.other) {  // beside another pass there is room for the word alone
        return plot::say("hides “{}”", state.tokens.hidden);
    }
    return plot::say("[MASK] at {}{}", whole_text(place.position),
                     hidden ? plot::say(" hides “{}”", state.tokens.hidden) : plot::Text());
}

plot::Text places_title(const AttentionPass& pass) {
    return plot::say("the {} places of [MASK]", std::ssize(pass.predictions));
}

}  // namespace

std::string piece_text(const AttentionState& state, Index id) {
    return state.vocabulary && id < state.vocabulary->size() ? printable(state.vocabulary->text(id))
                                                             : fmt::format("id {}", id);
}

const PlacePredictions* chosen_place(const AttentionState& state, ShownPass side,
                                     const Scene& scene) {
    const AttentionPass& pass = pass_of(state, side);
    if (pass.predictions.empty()) {
        return nullptr;
    }
    const auto chosen = std::ranges::find_if(pass.predictions, [&](const PlacePredictions& place) {
        const Index token = side == ShownPass::own ? place.position : state.order[place.position];
        return token == scene.attention_masked;
    });
    return chosen != pass.predictions.end() ? &*chosen : pass.predictions.data();
}

std::vector<ShownPrediction> shown_predictions(const AttentionPass& pass) {
    constexpr std::size_t kMostRows = 8, kOfFew = 2, kFew = 3;
    const std::size_t places = pass.predictions.size();
    std::vector<ShownPrediction> rows;
    for (const PlacePredictions& place : pass.predictions) {
        const std::size_t most = places == 1 ? place.best.size() : places <= kFew ? kOfFew : 1;
        for (std::size_t i = 0; i < std::min(most, place.best.size()); ++i) {
            if (rows.size() < kMostRows) {
                rows.push_back({&place, &place.best[i]});
            }
        }
    }
    return rows;
}

namespace {

/// For the longest of the pieces and its quotation marks, as a share of a bar of 100 %: on a phone,
/// whose letters are the largest beside its bars, one takes 15 % of it.
double room_for_words(const AttentionState& state, std::span<const ShownPrediction> rows) {
    std::size_t longest = 0;
    for (const ShownPrediction& row : rows) {
        longest = std::max(longest, code_points(piece_text(state, row.named->id)).size());
    }
    return std::clamp(0.15 * static_cast<double>(longest + 2), 0.34, 1.25);
}

}  // namespace

std::optional<plot::Panel> predictions_panel(const AttentionState& state, const Scene& scene,
                                             ShownPass side) {
    const PlacePredictions* place = chosen_place(state, side, scene);
    if (place == nullptr) {
        return std::nullopt;
    }
    const AttentionPass& pass = pass_of(state, side);
    const std::vector<ShownPrediction> rows = shown_predictions(pass);
    const bool several = pass.predictions.size() > 1;
    // Room beside the bars. Beside another pass the panel is narrow, and words need more of it.
    const double words = state.other ? 1.2 : room_for_words(state, rows);
    constexpr double kNumbers = 0.4;
    plot::Panel panel{
        .id = side == ShownPass::own ? "predictions" : "predictions.other",
        .title = several ? places_title(pass) : place_title(state, scene, side, *place),
        .corners = {.top_right = several ? "the best of each" : "five best"},
        .x = {.min = -words, .max = 1 + kNumbers, .visible = false},
        .y = {.min = to_double(std::ssize(rows)) - 0.4, .max = -0.6, .visible = false}};
    for (Index row = 0; row < std::ssize(rows); ++row) {
        const Prediction& named = *rows[row].named;
        const std::string word = piece_text(state, named.id);
        const double y = to_double(row);
        panel.marks.emplace_back(
            bar(named.probability, y, side == ShownPass::own ? Role::first : Role::second));
        panel.marks.emplace_back(plot::Label{
            .at = {-0.015, y},
            .text = several ? plot::say("{}: “{}”", whole_text(rows[row].place->position), word)
                            : plot::say("“{}”", word),
            .role = word == state.tokens.hidden ? Role::accent : Role::text,
            .anchor_x = 1,
            .anchor_y = 0.5,
            .width = words - 0.02,
            .height = 1.1,
            .smallest = 0.6});
        panel.marks.emplace_back(
            plot::Label{.at = {named.probability + 0.015, y},
                        .text = plot::say("{} %", fixed_text(100 * named.probability, 1)),
                        .role = Role::dim,
                        .anchor_y = 0.5,
                        .height = 1.1,
                        .smallest = 0.6});
    }
    return panel;
}

}  // namespace ropescope::figures
