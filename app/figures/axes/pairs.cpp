// Draws what the axes view shows of pairs: their speeds, their axes, and how far they turn.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numbers>

#include "app/figures/axes/axes.h"
#include "app/figures/shared/text.h"
#include "app/plot/number_text.h"

namespace ropescope::figures {
namespace {

using plot::Role;

constexpr double kDegrees = 180 / std::numbers::pi;
constexpr Index kMostStems = 256;  ///< pairs that are drawn with stems

bool is_other(const AxesState& state, const AxesScheme& scheme) {
    return state.other && &scheme == &*state.other;
}

std::string panel_id(const AxesState& state, const AxesScheme& scheme, const std::string& id) {
    return is_other(state, scheme) ? id + "_other" : id;
}

/// On the left, or below each other on both sides if there are two schemes.
void place(plot::Panel& panel, const AxesState& state, const AxesScheme& scheme, int row) {
    panel.row = row;
    panel.column = is_other(state, scheme) ? 3 : 0;
    panel.column_span = 3;
}

plot::Axis pair_axis(const AxesScheme& scheme, const char* label) {
    return {
        .label = label, .min = -0.75, .max = to_double(scheme.pairs()) - 0.25, .integers = true};
}

/// The range of all pairs of all schemes that are drawn.
plot::Axis value_axis(const AxesState& state) {
    double lowest = INFINITY, highest = 0;
    for (const AxesScheme* scheme : {&state.one, state.other ? &*state.other : &state.one}) {
        for (Index pair = 0; pair < scheme->pairs(); ++pair) {
            const double value = state.value(*scheme, pair);
            if (std::isfinite(value) && value > 0) {
                lowest = std::min(lowest, value);
                highest = std::max(highest, value);
            }
        }
    }
    if (highest == 0) {  // no pair turns
        lowest = highest = 1;
    }
    constexpr double kMargin = 1.6;  // a factor: the axis is logarithmic
    return {.label = state.wavelengths ? "wavelength (units of position per turn)"
                                       : "frequency ω (rad per unit of position)",
            .min = std::max(lowest / kMargin, 1e-300),
            .max = std::min(highest * kMargin, 1e300),
            .scale = plot::AxisScale::log10};
}

/// Whether pairs are one piece of a lane: neighbours with one axis, both turning or both not.
struct Piece {
    Role role = Role::text;
    bool turns = false;
    bool operator==(const Piece&) const = default;
};

void add_lane(plot::Panel& panel, const AxesScheme& scheme, Index axis) {
    const auto in_lane = [&](Index pair) {
        return pair < scheme.pairs() && scheme.spectrum().omega_rad(pair)[axis] != 0;
    };
    const auto piece = [&](Index pair) {
        return Piece{role_of_axis(scheme.scheme(), scheme.axis_of_pair[pair]), scheme.turns(pair)};
    };
    for (Index first = 0; first < scheme.pairs(); ++first) {
        if (!in_lane(first)) {
            continue;
        }
        Index last = first;
        while (in_lane(last + 1) && piece(last + 1) == piece(first)) {
            ++last;
        }
        const double y = to_double(axis);
        panel.marks.emplace_back(
            plot::Line{.points = {{to_double(first) - 0.42, y}, {to_double(last) + 0.42, y}},
                       .role = piece(first).role,
                       .width = 4,
                       .opacity = piece(first).turns ? 1.0 : 0.25});
        first = last;
    }
}

}  // namespace

plot::Panel axes_spectrum_panel(const AxesState& state, const AxesScheme& scheme) {
    plot::Panel panel{.id = panel_id(state, scheme, "spectrum"),
                      .title = state.other ? scheme.title : "the speed of each pair",
                      .x = pair_axis(scheme, ""),
                      .y = value_axis(state)};
    place(panel, state, scheme, 0);
    std::map<Index, plot::Points> groups;
    for (Index pair = 0; pair < scheme.pairs(); ++pair) {
        const Index axis = scheme.axis_of_pair[pair];
        const double value = state.value(scheme, pair);
        if (axis == kNoAxis || !std::isfinite(value)) {
            continue;
        }
        plot::Points& points = groups[axis];
        points.role = role_of_axis(scheme.scheme(), axis);
        points.radius_px = state.other ? 3 : 4;
        points.ring = axis == kSeveralAxes;
        points.points.push_back({to_double(pair), value});
    }
    for (auto& [axis, points] : groups) {
        panel.marks.emplace_back(std::move(points));
    }
    return panel;
}

plot::Panel axes_strip_panel(const AxesState& state, const AxesScheme& scheme) {
    const double axes = to_double(scheme.axes());
    plot::Panel panel{
        .id = panel_id(state, scheme, "strip"),
        .title = "the axis of each pair",
        .corners = {.top_right = plot::say("{} of {} turn", scheme.turning(), scheme.pairs())},
        .x = pair_axis(scheme, "pair"),
        .y = {.min = axes - 0.4, .max = -0.6, .visible = false}};
    place(panel, state, scheme, 1);
    for (Index axis = 0; axis < scheme.axes(); ++axis) {
        panel.rows.push_back({.first = to_double(axis) - 0.5, .last = to_double(axis) + 0.5});
        add_lane(panel, scheme, axis);
        panel.marks.emplace_back(plot::Label{.at = {panel.x.min, to_double(axis)},
                                             .text = scheme.scheme().axes[axis],
                                             .role = role_of_axis(scheme.scheme(), axis),
                                             .anchor_x = 1,
                                             .anchor_y = 0.5,
                                             .away_px = 8});
    }
    return panel;
}

plot::Panel axes_turns_panel(const AxesScheme& scheme) {
    double limit = 1e-3;  // of pairs that do not turn at all
    for (const double turn_rad : scheme.turn_rad) {
        limit = std::max(limit, 1.15 * std::abs(turn_rad) * kDegrees);
    }
    plot::Panel panel{.id = "turns",
                      .title = "turn of each pair, degrees",
                      .x = pair_axis(scheme, "pair"),
                      .y = {.min = -limit, .max = limit},
                      .row = 2,
                      .column_span = 3};
    panel.marks.emplace_back(
        plot::Rule{.vertical = false, .at = 0, .role = Role::line, .dashed = false});
    std::map<Index, plot::Points> groups;
    plot::Points still{.points = {}, .role = Role::dim, .radius_px = 2.2, .ring = true};
    for (Index pair = 0; pair < scheme.pairs(); ++pair) {
        const Index axis = scheme.axis_of_pair[pair];
        const plot::Point at{to_double(pair), scheme.turn_rad[pair] * kDegrees};
        if (!scheme.turns(pair)) {
            still.points.push_back(at);
            continue;
        }
        plot::Points& points = groups[axis];
        points.role = role_of_axis(scheme.scheme(), axis);
        points.radius_px = 2.6;
        points.points.push_back(at);
        if (scheme.pairs() <= kMostStems) {
            panel.marks.emplace_back(
                plot::Line{.points = {{at.x, 0}, at}, .role = points.role, .width = 0.8});
        }
    }
    panel.marks.emplace_back(std::move(still));
    for (auto& [axis, points] : groups) {
        panel.marks.emplace_back(std::move(points));
    }
    return panel;
}

std::vector<plot::LegendEntry> axes_legend(const AxesState& state) {
    std::map<Role, std::vector<std::string>> names;
    for (const AxesScheme* scheme : {&state.one, state.other ? &*state.other : &state.one}) {
        for (Index pair = 0; pair < scheme->pairs(); ++pair) {
            const Index axis = scheme->axis_of_pair[pair];
            const std::string name = axis == kSeveralAxes ? "several axes"
                                     : axis == kNoAxis    ? "does not turn"
                                                          : scheme->scheme().axes[axis];
            std::vector<std::string>& of_role = names[role_of_axis(scheme->scheme(), axis)];
            if (std::ranges::find(of_role, name) == of_role.end()) {
                of_role.push_back(name);
            }
        }
    }
    std::vector<plot::LegendEntry> legend;
    for (const auto& [role, of_role] : names) {
        std::string label;
        for (const std::string& name : of_role) {
            label += (label.empty() ? "" : ", ") + name;
        }
        legend.push_back({label, role, plot::LegendEntry::Kind::point});
    }
    return legend;
}

std::vector<plot::Readout> axes_pair_readouts(const AxesScheme& scheme, Index pair) {
    const ChannelPair channels = scheme.scheme().pairs[pair];
    std::vector<plot::Readout> readouts = {
        {"pair", fmt::format("{}", pair)},
        {"channels", fmt::format("{}, {}", channels.first, channels.second)},
        {"axis", scheme.axis_words(pair)}};
    const auto omega_rad = scheme.spectrum().omega_rad(pair);
    for (Index a = 0; a < scheme.axes(); ++a) {
        if (omega_rad[a] != 0) {
            readouts.push_back(
                {"ω of " + scheme.scheme().axes[a], plot::number_text(omega_rad[a]) + " rad/unit"});
        }
    }
    readouts.push_back({"wavelength", plot::number_text(scheme.wavelength(pair)) + " units"});
    readouts.push_back({"turn from q to k", fixed_text(scheme.turn_rad[pair] * kDegrees, 2) + "°"});
    readouts.push_back(
        {"its part of the score",
         signed_text(std::cos(scheme.turn_rad[pair]) / to_double(scheme.pairs()), 5)});
    return readouts;
}

}  // namespace ropescope::figures
