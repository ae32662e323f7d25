// Draws the panels of the attention view.
#include "app/figures/attention/panels.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "app/figures/text.h"

namespace ropescope::figures {
namespace {

using plot::Point;
using plot::Role;

/// Up to this many tokens are written as words on both axes; more are numbered by position.
constexpr Index kMostWords = 40;
constexpr double kSmallestWord = 0.6;  ///< share of its size before a word is left out
constexpr double kThumbnail = 0.92;    ///< side of a small map; heads are 1 apart
constexpr Index kThumbnailCells = 1 << 14;

plot::HeatMap heat_map(const AttentionState& state, const Scene& scene, OpenedHead at) {
    const HeadMap& map = state.map(at.layer, at.head);
    const double most = map_limit(state, scene);
    const bool positive = scene.attention_quantity == AttentionQuantity::softmax;
    return {.columns = map.cells,
            .rows = map.cells,
            .values = map_values(state, scene, at),
            .dx = to_double(map.block),
            .dy = to_double(map.block),
            .min = positive ? 0.0 : -most,
            .max = most,
            .map = positive ? plot::ColorMap::viridis : plot::ColorMap::diverging,
            .label = quantity_name(scene)};
}

/// A word as far as it fits beside its neighbours.
std::string shortened(const std::string& word) {
    constexpr std::size_t kMostLetters = 9;
    return word.size() <= kMostLetters ? word : word.substr(0, kMostLetters - 1) + "…";
}

/// Words left of the rows and above the columns, these in up to three storeys.
void add_words(plot::Panel& panel, const AttentionState& state) {
    const Index count = state.tokens.count();
    const double length = to_double(count);
    const int storeys = count <= 9 ? 1 : count <= 16 ? 2 : 3;
    const double storey = 0.042 * length;
    for (Index i = 0; i < count; ++i) {
        const std::string word = shortened(state.tokens.words[i]);
        const double middle = to_double(i) + 0.5;
        panel.marks.emplace_back(plot::Label{.at = {-0.012 * length, middle},
                                             .text = word,
                                             .role = Role::query,
                                             .anchor_x = 1,
                                             .anchor_y = 0.5,
                                             .height = 1.15,
                                             .smallest = kSmallestWord});
        panel.marks.emplace_back(
            plot::Label{.at = {middle, -0.012 * length - storey * to_double(i % storeys)},
                        .text = word,
                        .role = Role::key,
                        .anchor_x = 0.5,
                        .anchor_y = 0,
                        .width = 1.1 * storeys,
                        .whole = true,
                        .height = 1.15 * storey,
                        .smallest = kSmallestWord});
    }
    panel.x = {.min = -0.13 * length, .max = length, .visible = false};
    panel.y = {.min = length, .max = -0.012 * length - storey * storeys, .visible = false};
}

/// The small map: means of the large one's cells.
plot::HeatMap thumbnail(plot::HeatMap map, Index most_cells) {
    SmallMap small = shrunk(std::move(map.values), map.columns, most_cells);
    map.values = std::move(small.values);
    map.columns = map.rows = small.side;
    map.dx = map.dy = kThumbnail / to_double(small.side);
    return map;
}

std::vector<Point> curve(const HeadMap& map, double deviations) {
    std::vector<Point> points;
    for (Index i = 0; i < std::ssize(map.mean_score); ++i) {
        const double middle = to_double(map.first_distance) + to_double(map.bin) * to_double(i) +
                              0.5 * to_double(map.bin - 1);
        points.push_back({middle, map.mean_score[i] + deviations * map.deviation[i]});
    }
    return points;
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
    panel.corners.top_right = "masked keys hatched   " + panel.corners.top_right;
}

}  // namespace

plot::Panel map_panel(const AttentionState& state, const Scene& scene,
                      const plot::LiveCells& live) {
    const OpenedHead at = opened_head(scene, state.config);
    const double length = to_double(state.tokens.count());
    plot::Panel panel{.id = "map",
                      .title = fmt::format("layer {}, head {}", at.layer, at.head),
                      .corners = {.top_right = "query ↓  key →"},
                      .x = {.label = "key position", .max = length, .integers = true},
                      .y = {.label = "query position", .min = length, .max = 0, .integers = true},
                      .color_bar = true,
                      .row_span = 3};
    plot::HeatMap map = heat_map(state, scene, at);
    if (live.tensor) {
        map.live = live;
        map.values.clear();
    }
    panel.marks.emplace_back(std::move(map));
    add_mask(panel, state);
    if (state.tokens.count() <= kMostWords) {
        add_words(panel, state);
    }
    return panel;
}

plot::Panel heads_panel(const AttentionState& state, const Scene& scene) {
    const EncoderConfig& config = state.config;
    const OpenedHead opened = opened_head(scene, config);
    const double heads = to_double(config.n_heads), layers = to_double(config.n_layers);
    plot::Panel panel{.id = "heads",
                      .title = "every head",
                      .corners = {.top_right = "click one to open it"},
                      .x = {.label = "head", .min = -0.5, .max = heads - 0.5, .integers = true},
                      .y = {.label = "layer", .min = layers - 0.5, .max = -0.5, .integers = true},
                      .column = 1};
    const Index cells = floor_to_index(std::sqrt(to_double(kThumbnailCells) / (heads * layers)));
    for (Index layer = 0; layer < config.n_layers; ++layer) {
        for (Index head = 0; head < config.n_heads; ++head) {
            plot::HeatMap map =
                thumbnail(heat_map(state, scene, {layer, head}), std::max<Index>(8, cells));
            map.x0 = to_double(head) - kThumbnail / 2;
            map.y0 = to_double(layer) - kThumbnail / 2;
            panel.marks.emplace_back(std::move(map));
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
                                        .width = 1.2});
    return panel;
}

plot::Panel distance_panel(const AttentionState& state, const Scene& scene) {
    const OpenedHead at = opened_head(scene, state.config);
    const HeadMap& on = state.map(at.layer, at.head);
    const HeadMap& off = state.unrotated_map(at.layer, at.head);
    plot::Area band{
        .low = curve(on, -1), .high = curve(on, 1), .role = Role::first, .opacity = 0.25};
    plot::Line with{.points = curve(on, 0), .role = Role::first, .label = "RoPE"};
    plot::Line without{.points = curve(off, 0),
                       .role = Role::dim,
                       .width = 0.8,
                       .dash = plot::Dash::dashed,
                       .label = "off"};
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
                      .y = {.min = -most, .max = most},
                      .row = 1,
                      .column = 1};
    panel.marks.emplace_back(
        plot::Rule{.vertical = false, .at = 0, .role = Role::line, .dashed = false});
    panel.marks.emplace_back(std::move(band));
    panel.marks.emplace_back(std::move(without));
    panel.marks.emplace_back(std::move(with));
    return panel;
}

plot::Panel shift_panel(const AttentionState& state, const Scene& scene) {
    constexpr double kFloor = 1e-9;  // what a logarithmic axis shows of zero
    const Role role = state.largest.score > state.rounding() ? Role::wrong : Role::cos_part;
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
                                     ? std::string("computing")
                                     : fmt::format("{} table", to_string(scene.attention_table))},
        .x = {.label = "layer", .min = -0.5, .max = last, .integers = true},
        .y = {.min = kFloor, .max = 1, .scale = plot::AxisScale::log10},
        .row = 2,
        .column = 1};
    // Half a step of fp32 at the largest score.
    panel.marks.emplace_back(plot::Rule{
        .vertical = false, .at = std::max(kFloor, 0x1p-24 * state.scale.score), .label = "fp32"});
    if (!computing) {
        panel.marks.emplace_back(plot::Line{.points = scores, .role = role, .width = 0.8});
        panel.marks.emplace_back(plot::Points{.points = scores, .role = role, .radius_px = 4});
    }
    return panel;
}

}  // namespace ropescope::figures
