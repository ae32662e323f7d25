// Draws the two layouts, the pairs of each, and the way of each channel between them.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "app/figures/layouts/panels.h"
#include "app/figures/layouts/walk.h"
#include "app/figures/text.h"
#include "core/base/index.h"
#include "core/rope/layout.h"

namespace ropescope::figures {
namespace {

using plot::Point;
using plot::Role;

constexpr double kTop = 1.0, kBottom = -1.0;  ///< heights of the two rows
constexpr double kCell = 0.24;                ///< half the height of a cell
constexpr double kNumber = 0.16;              ///< from a cell to the middle of its number
constexpr double kFeet = 0.3;                 ///< from a cell to where its arc begins
constexpr double kArcs = 0.46;                ///< height of the widest arc
constexpr double kStem = 0.36;                ///< height of the largest value
constexpr Index kMostWalkers = 128;           ///< pairs beside the chosen ones

Role pair_role(int index) {
    static constexpr std::array kRoles = {Role::first, Role::second, Role::third, Role::text};
    return kRoles[index % std::ssize(kRoles)];
}

/// Where a channel is when it has gone t of its way: down in a straight line, across in an S.
Point on_path(Index from, Index to, double t) {
    return {std::lerp(from, to, t * t * (3 - 2 * t)), std::lerp(kTop, kBottom, t)};
}

struct Diagram {
    const Walk& walk;
    std::vector<Index> pairs;  ///< that are drawn in a colour of their own
    std::int64_t selected;
    bool large;
    double largest_value;
    plot::Panel& panel;

    const RopeSpec& spec() const { return walk.spec; }
    bool numbered() const { return spec().head_dim <= kMostNumberedChannels; }
    double half_width() const { return numbered() ? 0.42 : 0.5; }
    double width_of(Index pair) const { return pair == selected ? 1.3 : 0.7; }

    void box(double first, double last, double y, Role role, double width) const {
        panel.marks.emplace_back(plot::Line{.points = {{first, y - kCell},
                                                       {last, y - kCell},
                                                       {last, y + kCell},
                                                       {first, y + kCell},
                                                       {first, y - kCell}},
                                            .role = role,
                                            .width = width});
    }
    void text(double x, double y, std::string words, Role role) const {
        panel.marks.emplace_back(plot::Label{.at = {x, y},
                                             .text = std::move(words),
                                             .role = role,
                                             .anchor_x = 0.5,
                                             .anchor_y = 0.5,
                                             .mono = true,
                                             .height = 2 * kNumber,
                                             .smallest = 0.8});
    }
    /// In a cell's width, where there is room for the whole of it.
    void cell_text(Point at, std::string words, Role role, double height) const {
        panel.marks.emplace_back(plot::Label{.at = at,
                                             .text = std::move(words),
                                             .role = role,
                                             .anchor_x = 0.5,
                                             .anchor_y = 0.5,
                                             .mono = true,
                                             .width = 2 * half_width(),
                                             .whole = true,
                                             .height = height,
                                             .smallest = 0.7});
    }
    /// From one channel of a pair to the other, away from the other row.
    void arc(double from, double to, double y, Role role, double width) const {
        const double side = y > 0 ? 1 : -1;
        const double reach = std::sqrt((to - from) / (0.5 * to_double(spec().head_dim)));
        const double height = kArcs * std::clamp(reach, 0.25, 1.0);
        plot::Line line{.role = role, .width = width};
        for (int step = 0; step <= 24; ++step) {
            const double angle = std::numbers::pi * step / 24;
            const double x = (from + to) / 2.0 - (to - from) / 2.0 * std::cos(angle);
            line.points.push_back({x, y + side * (kCell + kFeet + height * std::sin(angle))});
        }
        panel.marks.emplace_back(std::move(line));
    }
    /// The way of a channel, from its cell in the upper layout to the one in the lower.
    void path(Index channel, Role role, double width) const {
        const double margin = kCell / (kTop - kBottom);
        plot::Line line{.role = role, .width = width, .opacity = 0.5};
        for (int step = 0; step <= 16; ++step) {
            line.points.push_back(
                on_path(channel, walk.slot[channel], std::lerp(margin, 1 - margin, step / 16.0)));
        }
        panel.marks.emplace_back(std::move(line));
    }
    /// The channel where it is now: a cell with its name, or a stem as high as its value.
    void walker(Index channel, Role role, double width, double opacity) const {
        const Point at = on_path(channel, walk.slot[channel], walked(walk, channel));
        const double value = walk.rotated[channel];
        if (!numbered()) {
            const double height = kStem * value / largest_value;
            panel.marks.emplace_back(plot::Line{.points = {at, {at.x, at.y + height}},
                                                .role = role,
                                                .width = width,
                                                .opacity = opacity});
            if (opacity == 1) {
                panel.marks.emplace_back(
                    plot::Points{.points = {at}, .role = role, .radius_px = 3});
            }
            return;
        }
        box(at.x - half_width(), at.x + half_width(), at.y, role, width);
        const double apart = large ? 0.11 : 0;
        cell_text({at.x, at.y + apart}, fmt::format("x_{{{}}}", channel), role,
                  2 * kCell - apart);  // more than the value's: it goes first
        if (large) {
            cell_text({at.x, at.y - apart}, signed_text(value, 2), Role::text, 2 * (kCell - apart));
        }
    }
};

/// The parts of a layout that do not move: its slots, their numbers, the arcs of its pairs, its
/// name.
void add_row(const Diagram& diagram, Layout layout) {
    const RopeSpec& spec = diagram.spec();
    const double y = layout == Layout::interleaved ? kTop : kBottom;
    const double number_y = y + (y > 0 ? 1 : -1) * (kCell + kNumber);
    if (!diagram.numbered()) {
        diagram.box(-0.5, to_double(spec.head_dim) - 0.5, y, Role::line, 0.5);
    }
    for (int at = 0; at < std::ssize(diagram.pairs); ++at) {
        const Index pair = diagram.pairs[at];
        const ChannelPair channels = pair_channels(layout, spec.rotary_dim, pair);
        const Role role = pair_role(at);
        diagram.arc(to_double(channels.first), to_double(channels.second), y, role,
                    diagram.width_of(pair));
        if (!diagram.numbered() && pair == diagram.selected) {
            if (channels.second - channels.first == 1) {
                diagram.text(to_double(channels.first) + 0.5, number_y,
                             fmt::format("{}, {}", channels.first, channels.second), role);
            } else {
                diagram.text(to_double(channels.first), number_y, fmt::format("{}", channels.first),
                             role);
                diagram.text(to_double(channels.second), number_y,
                             fmt::format("{}", channels.second), role);
            }
        }
    }
    if (diagram.numbered()) {
        for (Index slot = 0; slot < spec.head_dim; ++slot) {
            diagram.box(to_double(slot) - 0.42, to_double(slot) + 0.42, y, Role::line, 0.5);
            diagram.cell_text({to_double(slot), number_y}, fmt::format("{}", slot), Role::dim,
                              2 * kNumber);
        }
    } else if (spec.rotary_dim < spec.head_dim) {
        diagram.text(to_double(spec.rotary_dim + spec.head_dim - 1) / 2.0, number_y, "not rotated",
                     Role::dim);
    }
    const double end = -0.02 * to_double(spec.head_dim) - 0.6;
    diagram.panel.marks.emplace_back(
        plot::Label{.at = {end, y},
                    .text = layout == Layout::interleaved ? "interleaved" : "half split",
                    .role = layout == spec.layout ? Role::text : Role::dim,
                    .anchor_x = 1,
                    .anchor_y = 0.5,
                    .width = end - diagram.panel.x.min,
                    .whole = true,
                    .smallest = 0.65});
}

/// The channels that no chosen pair has: all that are rotated, or one in `stride` pairs, and what
/// is not rotated.
void add_others(const Diagram& diagram, Index stride) {
    const RopeSpec& spec = diagram.spec();
    for (Index channel = 0; channel < spec.head_dim; ++channel) {
        const bool chosen = std::ranges::find(diagram.pairs, channel / 2) != diagram.pairs.end() &&
                            channel < spec.rotary_dim;
        if (!chosen && channel / 2 % stride == 0) {
            diagram.walker(channel, Role::dim, 0.75, 0.7);
        }
    }
}

std::vector<Index> chosen_pairs(const Scene& scene, const Walk& walk) {
    std::vector<Index> pairs;
    if (walk.spec.head_dim <= kMostNumberedChannels) {
        for (Index pair = 0; pair < walk.spec.pairs(); ++pair) {
            pairs.push_back(pair);
        }
        return pairs;
    }
    for (const std::int64_t pair : scene.pairs) {
        pairs.push_back(pair);
    }
    return pairs;
}

double largest_of(const std::vector<float>& values) {
    float largest = 0;
    for (const float value : values) {
        largest = std::max(largest, std::abs(value));
    }
    return largest > 0 ? largest : 1.0;
}

}  // namespace

plot::Panel walk_panel(const Scene& scene, const Walk& walk, bool large) {
    const RopeSpec& spec = walk.spec;
    const double margin = (large ? 0.13 : 0.27) * to_double(spec.head_dim) + 1;
    plot::Panel panel{
        .id = "walk",
        .title = large ? "channels that pair, and the way between" : "channels that pair",
        .x = {.min = -margin, .max = to_double(spec.head_dim) - 0.3, .visible = false},
        .y = {.min = -2.05, .max = 2.05, .visible = false},
        .column_span = large ? 2 : 1};
    const Diagram diagram{walk,  chosen_pairs(scene, walk), scene.selected_pair,
                          large, largest_of(walk.rotated),  panel};
    const Index stride = (spec.head_dim / 2 + kMostWalkers - 1) / kMostWalkers;
    if (!diagram.numbered()) {
        panel.corners.top_right =
            stride > 1 ? fmt::format("{} named, 1 of {} drawn",
                                     counted(std::ssize(scene.pairs), "pair"), stride)
                       : fmt::format("{} of {} pairs", scene.pairs.size(), spec.pairs());
    }
    for (int at = 0; at < std::ssize(diagram.pairs); ++at) {
        const Index pair = diagram.pairs[at];
        for (const Index channel : {2 * pair, 2 * pair + 1}) {
            diagram.path(channel, pair_role(at), diagram.width_of(pair));
        }
    }
    add_row(diagram, Layout::interleaved);
    add_row(diagram, Layout::half_split);
    add_others(diagram, stride);
    for (int at = 0; at < std::ssize(diagram.pairs); ++at) {
        const Index pair = diagram.pairs[at];
        for (const Index channel : {2 * pair, 2 * pair + 1}) {
            diagram.walker(channel, pair_role(at), pair == diagram.selected ? 1.6 : 1.1, 1);
        }
    }
    return panel;
}

}  // namespace ropescope::figures
