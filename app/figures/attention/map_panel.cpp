// Draws the map of the opened head, with its tokens as words on both axes.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "app/figures/attention/panels.h"
#include "app/figures/text.h"

namespace ropescope::figures {
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

/// "RoPE switched off: layer 1, head 2, previous 62 %"
std::string map_title(const AttentionState& state, Side side, OpenedHead at) {
    const auto role = state.role(pass_of(state, side), at.layer, at.head);
    return fmt::format("{}layer {}, head {}{}",
                       side == Side::other ? state.other->name + ": " : std::string{}, at.layer,
                       at.head, role ? ", " + role_text(*role) : "");
}

}  // namespace

plot::Panel map_panel(const AttentionState& state, const Scene& scene, Side side,
                      const plot::LiveCells& live) {
    const OpenedHead at = opened_head(scene, state.config);
    const double length = to_double(state.tokens.count());
    plot::Panel panel{.id = side == Side::own ? "map" : "map.other",
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
        add_words(panel, state);
    }
    return panel;
}

}  // namespace ropescope::figures
