// Draws the strip of tokens and the lines of their positions.
#include "app/figures/positions/panels.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>

#include "app/figures/pair_axes.h"
#include "app/figures/text.h"

namespace ropescope::figures {
namespace {

using plot::Role;

/// How one kind of token looks in the strip.
struct KindLook {
    TokenKind kind;
    Role role;
    double opacity;
};
constexpr std::array kLooks = {
    KindLook{TokenKind::text, Role::dim, 0.22},    KindLook{TokenKind::image, Role::first, 0.45},
    KindLook{TokenKind::video, Role::first, 0.25}, KindLook{TokenKind::frame, Role::first, 0.25},
    KindLook{TokenKind::padding, Role::grid, 0.9}, KindLook{TokenKind::decode, Role::text, 0.4}};

KindLook look_of(TokenKind kind) {
    return *std::ranges::find(kLooks, kind, &KindLook::kind);
}

/// How the lines of time, height and width look: in the colours of the view axes, and the first the
/// widest, so that all are seen where they coincide.
constexpr std::array kSides = {Side::frame, Side::row, Side::column};
constexpr std::array kWidths = {3.0, 1.8, 0.9};
constexpr std::array kDashes = {plot::Dash::none, plot::Dash::long_dash, plot::Dash::dotted};

/// Tokens lie in the middle of their cells.
plot::Axis token_axis(const PositionsState& state, bool labelled) {
    return {.label = labelled ? "token" : "",
            .min = -0.5,
            .max = to_double(state.length()) - 0.5,
            .integers = true};
}

/// Both panels have one scale.
plot::Axis position_axis(const PositionsState& state) {
    double least = 0, largest = 1;
    const auto take_in = [&](const CountedTokens& counted) {
        for (Index token = 0; token < state.length(); ++token) {
            for (Index axis = 0; axis < 3 && !state.is_padding(token); ++axis) {
                least = std::min(least, counted.positions.at(axis, 0, token));
                largest = std::max(largest, counted.positions.at(axis, 0, token));
            }
        }
    };
    take_in(state.right);
    if (state.below) {
        take_in(*state.below);
    }
    const double margin = 0.06 * (largest - least);
    return {
        .label = "position", .min = least - margin, .max = largest + 2 * margin, .integers = true};
}

void add_axis_line(plot::Panel& panel, const PositionsState& state, const CountedTokens& counted,
                   Index axis) {
    plot::Line line{.points = {},
                    .role = role_of_side(kSides[axis]),
                    .width = kWidths[axis],
                    .dash = kDashes[axis]};
    for (Index token = 0; token < state.length(); ++token) {
        const double y = state.is_padding(token) ? std::numeric_limits<double>::quiet_NaN()
                                                 : counted.positions.at(axis, 0, token);
        line.points.push_back({to_double(token), y});
    }
    panel.marks.emplace_back(std::move(line));
}

/// Where a segment does not go on behind the largest position, and where a document begins.
void add_jumps(plot::Panel& panel, const std::vector<SegmentRange>& ranges) {
    const SegmentRange* before = nullptr;
    for (const SegmentRange& range : ranges) {
        const double edge = to_double(range.token) - 0.5;
        if (before != nullptr && before->first.row != range.first.row) {
            panel.marks.emplace_back(
                plot::Rule{.at = edge, .label = fmt::format("document {}", range.first.row + 1)});
        } else if (range.jump && *range.jump != 0) {
            panel.marks.emplace_back(
                plot::Rule{.at = edge, .label = "jump " + signed_text(to_double(*range.jump), 0)});
        }
        before = &range;
    }
}

plot::Panel position_panel(const PositionsState& state, const CountedTokens& counted,
                           std::string id, int row, bool last) {
    plot::Panel panel{.id = std::move(id),
                      .title = counted.name,
                      .x = token_axis(state, last),
                      .y = position_axis(state),
                      .row = row};
    for (const SegmentRange& range : state.right.ranges) {
        const KindLook look = look_of(range.first.kind);
        if (range.first.kind != TokenKind::text) {
            panel.marks.emplace_back(plot::Band{.first = to_double(range.token) - 0.5,
                                                .last = to_double(range.token + range.count) - 0.5,
                                                .role = look.role,
                                                .opacity = 0.25 * look.opacity});
        }
    }
    add_jumps(panel, counted.ranges);
    for (Index axis = 0; axis < 3; ++axis) {
        add_axis_line(panel, state, counted, axis);
    }
    return panel;
}

/// Rings around the positions below that differ from those above.
void add_differences(plot::Panel& panel, const PositionsState& state) {
    plot::Points rings{.points = {}, .role = Role::text, .radius_px = 4, .ring = true};
    for (const Index token : state.differing) {
        for (Index axis = 0; axis < 3; ++axis) {
            const double y = state.below->positions.at(axis, 0, token);
            if (y != state.right.positions.at(axis, 0, token)) {
                rings.points.push_back({to_double(token), y});
            }
        }
    }
    if (!rings.points.empty()) {
        panel.marks.emplace_back(std::move(rings));
    }
}

}  // namespace

plot::Panel strip_panel(const PositionsState& state) {
    // An axis without whole numbers has no ticks, and keeps the strip above the panels' plots.
    constexpr double kLow = 0.1, kHigh = 0.9;
    plot::Panel panel{.id = "tokens",
                      .x = token_axis(state, false),
                      .y = {.min = kLow, .max = kHigh, .integers = true}};
    panel.x.visible = false;
    for (const SegmentRange& range : state.right.ranges) {
        const KindLook look = look_of(range.first.kind);
        const double first = to_double(range.token) - 0.5, count = to_double(range.count);
        panel.marks.emplace_back(plot::Area{.low = {{first, kLow}, {first + count, kLow}},
                                            .high = {{first, kHigh}, {first + count, kHigh}},
                                            .role = look.role,
                                            .opacity = look.opacity});
        panel.marks.emplace_back(
            plot::Line{.points = {{first, kLow}, {first, kHigh}}, .role = Role::panel, .width = 1});
        panel.marks.emplace_back(plot::Label{.at = {first + 0.5 * count, 0.5},
                                             .text = kind_words(state, range.first),
                                             .anchor_x = 0.5,
                                             .anchor_y = 0.5,
                                             .width = 0.96 * count,
                                             .smallest = 0.8});
    }
    return panel;
}

plot::Panel right_panel(const PositionsState& state) {
    return position_panel(state, state.right, "right", 1, !state.below);
}

plot::Panel below_panel(const PositionsState& state) {
    plot::Panel panel = position_panel(state, *state.below, "below", 2, true);
    add_differences(panel, state);
    return panel;
}

std::vector<plot::LegendEntry> positions_legend(const PositionsState& state) {
    using Kind = plot::LegendEntry::Kind;
    std::vector<plot::LegendEntry> legend;
    for (Index axis = 0; axis < 3; ++axis) {
        legend.push_back({state.right.positions.axes[axis], role_of_side(kSides[axis]), Kind::line,
                          kDashes[axis]});
    }
    if (!state.differing.empty()) {
        legend.push_back({"differs from above", Role::text, Kind::ring});
    }
    return legend;
}

}  // namespace ropescope::figures
