// Draws a small map of every head, with what the head does in this text.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <string_view>
#include <utility>

#include "app/figures/attention/panels.h"
#include "app/figures/text.h"

namespace ropescope::figures {
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
std::string short_role_text(const LabelledRole& role) {
    constexpr std::array<std::pair<HeadRole, std::string_view>, 6> kWords = {
        {{HeadRole::previous, "prev"},
         {HeadRole::next, "next"},
         {HeadRole::same_token, "same"},
         {HeadRole::delimiter, "delim"},
         {HeadRole::first_token, "first"},
         {HeadRole::by_distance, "dist"}}};
    for (const auto& [which, word] : kWords) {
        if (which == role.role) {
            return fmt::format("{} {} %", word, fixed_text(100 * role.share, 0));
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

std::string role_text(const LabelledRole& role) {
    return role.role == HeadRole::mixed
               ? std::string(to_string(role.role))
               : fmt::format("{} {} %", to_string(role.role), fixed_text(100 * role.share, 0));
}

plot::Panel heads_panel(const AttentionState& state, const Scene& scene, Side side) {
    const EncoderConfig& config = state.config;
    const OpenedHead opened = opened_head(scene, config);
    const double heads = to_double(config.n_heads), layers = to_double(config.n_layers);
    plot::Panel panel{.id = side == Side::own ? "heads" : "heads.other",
                      .title = side == Side::own ? "every head" : state.other->name,
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
                                        .width = 1.2});
    return panel;
}

}  // namespace ropescope::figures
