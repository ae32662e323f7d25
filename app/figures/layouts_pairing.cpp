#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "app/figures/layouts_parts.h"
#include "core/rope/layout.h"

namespace ropescope::figures {
namespace {

using plot::Point;
using plot::Role;

constexpr double kTop = 1.0, kBottom = -1.0;  ///< heights of the two rows
constexpr double kCell = 0.17;                ///< half the height of a cell
constexpr double kArcs = 0.62;                ///< height of the widest arc above its row

Role pair_role(int index) {
    static constexpr std::array kRoles = {Role::query, Role::key, Role::cos_part, Role::sin_part};
    return kRoles[static_cast<std::size_t>(index) % kRoles.size()];
}

struct Diagram {
    RopeSpec spec;
    std::vector<int> pairs;  ///< that are drawn
    std::int64_t selected;
    plot::Panel& panel;

    bool numbered() const { return spec.head_dim <= kMostNumberedChannels; }

    void box(double first, double last, double y, Role role, double width) const {
        panel.marks.emplace_back(plot::Line{.points = {{first, y - kCell},
                                                       {last, y - kCell},
                                                       {last, y + kCell},
                                                       {first, y + kCell},
                                                       {first, y - kCell}},
                                            .role = role,
                                            .width = width});
    }
    void text(double x, double y, std::string words, Role role, double anchor_x = 0.5) const {
        panel.marks.emplace_back(plot::Label{.at = {x, y},
                                             .text = std::move(words),
                                             .role = role,
                                             .anchor_x = anchor_x,
                                             .anchor_y = 0.5,
                                             .mono = anchor_x == 0.5});
    }
    /// From one channel of a pair to the other, away from the other row.
    void arc(int from, int to, double y, Role role, double width) const {
        const double side = y > 0 ? 1 : -1;
        const double reach = std::sqrt(static_cast<double>(to - from) / (0.5 * spec.head_dim));
        const double height = kArcs * std::clamp(reach, 0.25, 1.0);
        plot::Line line{.role = role, .width = width};
        for (int step = 0; step <= 24; ++step) {
            const double angle = std::numbers::pi * step / 24;
            const double x = (from + to) / 2.0 - (to - from) / 2.0 * std::cos(angle);
            line.points.push_back({x, y + side * (kCell + height * std::sin(angle))});
        }
        panel.marks.emplace_back(std::move(line));
    }
    /// A channel of the upper layout to its place in the lower one.
    void walk(int from, int to, Role role, double width) const {
        plot::Line line{.role = role, .width = width, .opacity = 0.8};
        for (int step = 0; step <= 16; ++step) {
            const double t = step / 16.0;
            const double eased = t * t * (3 - 2 * t);
            line.points.push_back(
                {from + (to - from) * eased, kTop - kCell + (kBottom - kTop + 2 * kCell) * t});
        }
        panel.marks.emplace_back(std::move(line));
    }
    void cells(const ChannelPair& channels, double y, Role role, double width) const {
        for (const int channel : {channels.first, channels.second}) {
            const double half = numbered() ? 0.42 : 0.5;
            box(channel - half, channel + half, y, role, width);
            if (numbered()) {
                text(channel, y, fmt::format("{}", channel), role);
            }
        }
    }
    /// Numbers of a pair's channels where the cells are too small for them: in its row, beside the
    /// cells.
    void number(const ChannelPair& channels, double y, Role role) const {
        const double gap = 0.01 * spec.head_dim;
        const auto beside = [&](int channel, const std::string& words) {
            panel.marks.emplace_back(plot::Label{.at = {channel + gap, y},
                                                 .text = words,
                                                 .role = role,
                                                 .anchor_x = 0,
                                                 .anchor_y = 0.5,
                                                 .mono = true});
        };
        if (channels.second - channels.first == 1) {
            beside(channels.second, fmt::format("{}, {}", channels.first, channels.second));
        } else {
            beside(channels.first, fmt::format("{}", channels.first));
            beside(channels.second, fmt::format("{}", channels.second));
        }
    }
};

void add_row(const Diagram& diagram, Layout layout, double y) {
    const RopeSpec& spec = diagram.spec;
    if (!diagram.numbered()) {
        diagram.box(-0.5, spec.head_dim - 0.5, y, Role::line, 0.5);
    }
    for (std::size_t at = 0; at < diagram.pairs.size(); ++at) {
        const int pair = diagram.pairs[at];
        const ChannelPair channels = pair_channels(layout, spec.rotary_dim, pair);
        const double width = pair == diagram.selected ? 1.3 : 0.7;
        const Role role = pair_role(static_cast<int>(at));
        diagram.arc(channels.first, channels.second, y, role, width);
        diagram.cells(channels, y, role, width);
        if (!diagram.numbered() && pair == diagram.selected) {
            diagram.number(channels, y, role);
        }
    }
    if (diagram.numbered()) {
        for (int channel = spec.rotary_dim; channel < spec.head_dim; ++channel) {
            diagram.box(channel - 0.42, channel + 0.42, y, Role::line, 0.5);
            diagram.text(channel, y, fmt::format("{}", channel), Role::dim);
        }
    } else if (spec.rotary_dim < spec.head_dim) {
        diagram.text((spec.rotary_dim + spec.head_dim - 1) / 2.0, y, "not rotated", Role::dim);
    }
    diagram.text(-0.02 * spec.head_dim - 0.6, y,
                 layout == Layout::interleaved ? "interleaved" : "half split", Role::text, 1.0);
}

void add_walks(const Diagram& diagram, Layout from, Layout to) {
    const RopeSpec& spec = diagram.spec;
    for (std::size_t at = 0; at < diagram.pairs.size(); ++at) {
        const int pair = diagram.pairs[at];
        const ChannelPair above = pair_channels(from, spec.rotary_dim, pair);
        const ChannelPair below = pair_channels(to, spec.rotary_dim, pair);
        const double width = pair == diagram.selected ? 1.3 : 0.6;
        const Role role = pair_role(static_cast<int>(at));
        diagram.walk(above.first, below.first, role, width);
        diagram.walk(above.second, below.second, role, width);
    }
}

}  // namespace

plot::Panel pairing_panel(const Scene& scene) {
    const RopeSpec spec = unscaled_rope_spec(scene);
    const double margin = 0.2 * spec.head_dim + 1;
    plot::Panel panel{.id = "pairing",
                      .title = "channels that pair",
                      .x = {.min = -margin, .max = spec.head_dim - 0.3, .visible = false},
                      .y = {.min = -2.0, .max = 2.0, .visible = false}};
    Diagram diagram{spec, {}, scene.selected_pair, panel};
    if (diagram.numbered()) {
        for (int pair = 0; pair < spec.pairs(); ++pair) {
            diagram.pairs.push_back(pair);
        }
    } else {
        for (const std::int64_t pair : scene.pairs) {
            diagram.pairs.push_back(static_cast<int>(pair));
        }
        panel.corners.top_right = fmt::format("{} of {} pairs", scene.pairs.size(), spec.pairs());
    }
    const Layout from = spec.layout;
    const Layout to = from == Layout::interleaved ? Layout::half_split : Layout::interleaved;
    add_walks(diagram, from, to);
    add_row(diagram, from, kTop);
    add_row(diagram, to, kBottom);
    return panel;
}

}  // namespace ropescope::figures
