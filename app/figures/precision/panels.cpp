// Draws the panels of the precision view and its legend.
#include "app/figures/precision/panels.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/figures/text.h"

namespace ropescope::figures {
namespace {

using plot::Role;

using plot::Dash;

struct Look {
    Role role;
    Dash dash = Dash::none;
};

/// In the order of precision_chains().
constexpr std::array<Look, 8> kLooks = {{{Role::text},
                                         {Role::text, Dash::dashed},
                                         {Role::first},
                                         {Role::first, Dash::dashed},
                                         {Role::second, Dash::dotted},
                                         {Role::second, Dash::long_dash},
                                         {Role::third, Dash::dash_dot},
                                         {Role::text, Dash::dotted}}};

plot::Axis position_axis(const PrecisionState& state, std::string label) {
    return {.label = std::move(label),
            .min = 1,
            .max = to_double(state.positions.back()),
            .scale = plot::AxisScale::log10};
}

plot::Line curve_line(const PrecisionState& state, Index chain, const std::vector<double>& values) {
    const ChainCurves& curves = state.chains[chain];
    const Look look = kLooks[chain % std::ssize(kLooks)];
    plot::Line line{.points = {},
                    .role = look.role,
                    .width = curves.chain == state.selected ? 1.6 : 0.8,
                    .dash = look.dash,
                    .opacity = curves.chain == state.selected ? 1.0 : 0.85};
    for (Index i = 0; i < std::ssize(values); ++i) {
        line.points.push_back(
            {to_double(state.positions[i]), std::max(values[i], kPrecisionFloor)});
    }
    return line;
}

/// Adds the curves of all chains, the selected one on top.
void add_curves(plot::Panel& panel, const PrecisionState& state,
                std::vector<double> ChainCurves::*values) {
    Index selected = 0;
    for (Index i = 0; i < std::ssize(state.chains); ++i) {
        if (state.chains[i].chain == state.selected) {
            selected = i;
        } else {
            panel.marks.emplace_back(curve_line(state, i, state.chains[i].*values));
        }
    }
    panel.marks.emplace_back(curve_line(state, selected, state.chains[selected].*values));
}

plot::Axis error_axis() {
    return {.label = "", .min = kPrecisionFloor, .max = 10, .scale = plot::AxisScale::log10};
}

}  // namespace

std::vector<plot::LegendEntry> chain_legend(const PrecisionState& state) {
    using Kind = plot::LegendEntry::Kind;
    std::vector<plot::LegendEntry> legend;
    for (Index i = 0; i < std::ssize(state.chains); ++i) {
        const Look look = kLooks[i % std::ssize(kLooks)];
        legend.push_back({state.chains[i].chain->title, look.role, Kind::line, look.dash});
    }
    return legend;
}

plot::Panel error_panel(const PrecisionState& state) {
    plot::Panel panel{.id = "error",
                      .title = "largest error of cos and sin, sampled",
                      .x = position_axis(state, ""),
                      .y = error_axis()};
    add_curves(panel, state, &ChainCurves::error);
    return panel;
}

plot::Panel violation_panel(const PrecisionState& state) {
    plot::Panel panel{.id = "violation",
                      .title = "largest change of a score at one distance, sampled, over |q| |k|",
                      .x = position_axis(state, "position, or shift of both positions (tokens)"),
                      .y = error_axis(),
                      .row = 1};
    add_curves(panel, state, &ChainCurves::worst);
    return panel;
}

plot::Panel by_pair_panel(const PrecisionState& state) {
    const Index steps = std::ssize(state.positions);
    const Index pairs = state.sampled.pairs();
    const double last = to_double(state.spec.pairs() - 1);
    plot::Panel panel{.id = "by_pair",
                      .title = "error by pair: " + state.selected->title,
                      .x = {.label = "position, 2^{x}", .min = 0, .max = 20, .integers = true},
                      .y = {.label = "pair", .min = -0.5, .max = last + 0.5, .integers = true},
                      .color_bar = true,
                      .column = 1,
                      .row_span = 2};
    panel.marks.emplace_back(plot::HeatMap{.columns = steps,
                                           .rows = pairs,
                                           .values = state.by_pair,
                                           .x0 = 0,
                                           .y0 = -0.5,
                                           .dx = 20.0 / to_double(steps),
                                           .dy = (last + 1) / to_double(pairs),
                                           .min = -10,
                                           .max = 0.3,
                                           .label = "log_{10} of the error"});
    return panel;
}

}  // namespace ropescope::figures
