// Puts the positions view together: its words, its panels, the values under the cursor and clicks.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>

#include "app/figures/positions/positions.h"
#include "app/figures/shared/shown_encoding.h"
#include "app/figures/shared/text.h"
#include "app/plot/pick.h"
#include "app/scene/axes_grid.h"
#include "app/scene/settings.h"
#include "core/positions/grid_rule.h"

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
    KindLook{TokenKind::text, Role::dim, 0.22},     KindLook{TokenKind::image, Role::first, 0.45},
    KindLook{TokenKind::video, Role::first, 0.25},  KindLook{TokenKind::frame, Role::first, 0.25},
    KindLook{TokenKind::sound, Role::second, 0.35}, KindLook{TokenKind::padding, Role::grid, 0.9},
    KindLook{TokenKind::decode, Role::text, 0.4}};

KindLook look_of(TokenKind kind) {
    return *std::ranges::find(kLooks, kind, &KindLook::kind);
}

/// How the lines of time, height and width look: in the colours of the view axes, and the first the
/// widest, so that all are seen where they coincide.
constexpr std::array kSides = {GridSide::frame, GridSide::row, GridSide::column};
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
                plot::Rule{.at = edge, .label = plot::say("document {}", range.first.row + 1)});
        } else if (range.jump && *range.jump != 0) {
            panel.marks.emplace_back(plot::Rule{
                .at = edge, .label = plot::say("jump {}", signed_text(to_double(*range.jump), 0))});
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

/// "tokens": the sequence as a strip, each segment in the colour of its kind and named.
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

/// "right" or "below": the positions of the axes under the strip, a line for each, with jumps.
plot::Panel right_panel(const PositionsState& state) {
    return position_panel(state, state.right, "right", 1, !state.below);
}

plot::Panel below_panel(const PositionsState& state) {
    plot::Panel panel = position_panel(state, *state.below, "below", 2, true);
    add_differences(panel, state);
    return panel;
}

/// The kinds of tokens that the sequence has, and the lines of the axes.
std::vector<plot::LegendEntry> positions_legend(const PositionsState& state) {
    using Kind = plot::LegendEntry::Kind;
    std::vector<plot::LegendEntry> legend;
    for (Index axis = 0; axis < 3; ++axis) {
        legend.push_back({state.right.positions.axes[axis], role_of_side(kSides[axis]), Kind::line,
                          kDashes[axis]});
    }
    if (!state.differing.empty()) {
        legend.push_back({plot::say("differs from above"), Role::text, Kind::ring});
    }
    return legend;
}

plot::Text title(const PositionsState& state) {
    if (state.unseen != nullptr) {
        return plot::say("This layout does not show {}", state.unseen->code);
    }
    if (!state.below) {
        return plot::say("{} {} position {}", counted(state.tokens(), "token"),
                         agreeing(state.tokens(), "reaches", "reach"), whole_text(state.largest()));
    }
    if (state.differing.empty()) {
        return plot::say("Above and below all tokens have the same ids");
    }
    const Index differing = std::ssize(state.differing);
    return plot::say("{} of {} {} another id below, from token {} on", whole_text(differing),
                     counted(state.tokens(), "token"), agreeing(differing, "has", "have"),
                     whole_text(state.differing.front()));
}

plot::Text subtitle(const PositionsState& state) {
    plot::Text text = plot::say("Positions of time, height and width in {}, as {} numbers them.",
                                to_string(state.plan.rule.family), state.right.name);
    if (state.unseen != nullptr) {
        return text + plot::say(" To show the fault takes {}.", state.unseen->shown_by);
    }
    if (!state.below) {
        return text;
    }
    return text + (state.how.empty() ? plot::say(" Below: as {} numbers them.", state.below->name)
                                     : plot::say(" Below: {}", state.how));
}

plot::Figure draw(const PositionsState& state) {
    plot::Figure figure;
    figure.view = "positions";
    figure.title = title(state);
    figure.subtitle = subtitle(state);
    figure.legend = positions_legend(state);
    figure.row_weights = {0.16, 1.0};
    if (state.below) {
        figure.row_weights.push_back(1.0);
    }
    figure.column_weights = {1.0};
    figure.data = positions_data(state);
    figure.report = figure.title + "\n" + figure.subtitle + "\n\n" + positions_report(state);
    return figure;
}

std::vector<plot::Readout> token_readouts(const PositionsState& state, plot::Point at) {
    const Index token = plot::pick_index(at.x, state.length());
    const TokenOrigin& origin = state.right.positions.origin(0, token);
    std::vector<plot::Readout> readouts = {{"token", whole_text(token)},
                                           {"segment", kind_words(state, origin)},
                                           {"its token", whole_text(origin.index)}};
    if (state.is_padding(token)) {
        return readouts;
    }
    for (Index axis = 0; axis < 3; ++axis) {
        const std::string& name = state.right.positions.axes[axis];
        const auto value = [&](const LayoutPositions& positions) {
            return whole_text(round_to_index(positions.at(axis, 0, token)));
        };
        readouts.push_back({name, value(state.right.positions)});
        if (state.below) {
            readouts.push_back({name + " below", value(state.below->positions)});
        }
    }
    return readouts;
}

/// A patch opens in the view axes, where its score with the others is seen.
Scene open_patch(const PositionsState& state, const Scene& scene, plot::Point at) {
    const TokenOrigin& origin =
        state.right.positions.origin(0, plot::pick_index(at.x, state.length()));
    if (!origin.in_segment() || origin.kind == TokenKind::text) {
        return scene;
    }
    const Segment& segment = state.plan.layout.rows[origin.row][origin.segment];
    if (segment.sound > 0) {  // its tokens are not those of a grid alone
        return scene;
    }
    const PatchGrid grid = merged_grid(state.plan.rule, segment);
    if (std::max({grid.frames, grid.rows, grid.columns}) > kLongestSide) {
        return scene;
    }
    const GridPatch patch = patches_in_order(grid, 1)[origin.index];
    return apply_settings(
        scene, {"view=axes", "axes_tokens=patches",
                fmt::format("axes_grid={}x{}x{}", grid.frames, grid.rows, grid.columns),
                fmt::format("axes_frame={}", patch.frame), fmt::format("axes_row={}", patch.row),
                fmt::format("axes_column={}", patch.column)});
}

Picture make(const Scene& scene, Engine&, const Work&) {
    const auto state = std::make_shared<const PositionsState>(make_positions_state(scene));
    const Answers of_tokens{state, token_readouts, open_patch};
    Picture picture{.figure = draw(*state)};
    picture.add(strip_panel(*state), of_tokens);
    picture.add(right_panel(*state), of_tokens);
    if (state->below) {
        picture.add(below_panel(*state), of_tokens);
    }
    return picture;
}

}  // namespace

View positions_view() {
    return {
        .id = "positions",
        .key = 'P',
        .name = "Positions",
        .group = "Images and videos",
        .question = "Where does the model think a token is?",
        .parameters = {"positions_layout", "positions_family", "positions_tokens_per_second",
                       "positions_version", "positions_compare"},
        .make = make,
        .what_you_see =
            "The tokens of a sequence as a strip, and under it the position of each token in time, "
            "height and width. Text has the same position on all three axes. In a block of patches "
            "time stays within a frame, height counts its rows and width its columns. Dashed lines "
            "mark where a segment does not go on behind the largest position. Rings below mark "
            "positions that differ from those above.",
        .what_to_try =
            "Write a layout of your own. Make the video longer than its sides: text behind it goes "
            "back in time with transformers 5, and not with 4. Compare with a fault to see what "
            "wrong ids look like, and with ids.text_positions to see what an image costs. Click a "
            "patch to see it in the view axes.",
        .formulas = {"(t, h, w) = (c + frame, c + row, c + column)"},
        .formula_source = "transformers, get_rope_index; c is where text would go on",
    };
}

}  // namespace ropescope::figures
