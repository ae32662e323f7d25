#include <algorithm>
#include <array>
#include <cmath>

#include "app/figures/precision/state.h"
#include "app/figures/text.h"

namespace ropescope::figures {
namespace {

using plot::Role;

struct Look {
    Role role;
    bool dashed;
};

/// In the order of precision_chains().
constexpr std::array<Look, 8> kLooks = {{{Role::dim, false},
                                         {Role::text, true},
                                         {Role::query, false},
                                         {Role::query, true},
                                         {Role::cos_part, false},
                                         {Role::key, false},
                                         {Role::sin_part, false},
                                         {Role::wrong, false}}};

plot::Axis position_axis(const PrecisionState& state, std::string label) {
    return {.label = std::move(label),
            .min = 1,
            .max = static_cast<double>(state.positions.back()),
            .scale = plot::AxisScale::log10};
}

plot::Line curve_line(const PrecisionState& state, std::size_t chain,
                      const std::vector<double>& values) {
    const ChainCurves& curves = state.chains[chain];
    const Look look = kLooks[chain % kLooks.size()];
    plot::Line line{.points = {},
                    .role = look.role,
                    .width = curves.chain == state.selected ? 1.6 : 0.8,
                    .dashed = look.dashed,
                    .opacity = curves.chain == state.selected ? 1.0 : 0.85};
    for (std::size_t i = 0; i < values.size(); ++i) {
        line.points.push_back(
            {static_cast<double>(state.positions[i]), std::max(values[i], kPrecisionFloor)});
    }
    return line;
}

/// All chains, the selected one on top.
void add_curves(plot::Panel& panel, const PrecisionState& state,
                std::vector<double> ChainCurves::*values) {
    std::size_t selected = 0;
    for (std::size_t i = 0; i < state.chains.size(); ++i) {
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
    for (std::size_t i = 0; i < state.chains.size(); ++i) {
        const Look look = kLooks[i % kLooks.size()];
        legend.push_back(
            {state.chains[i].chain->title, look.role, look.dashed ? Kind::dashed : Kind::line});
    }
    return legend;
}

plot::Panel error_panel(const PrecisionState& state) {
    plot::Panel panel{.id = "error",
                      .title = "error of cos and sin, largest of all pairs",
                      .x = position_axis(state, ""),
                      .y = error_axis()};
    add_curves(panel, state, &ChainCurves::error);
    return panel;
}

plot::Panel violation_panel(const PrecisionState& state) {
    plot::Panel panel{.id = "violation",
                      .title = "change of a score at one distance, over |q| |k|",
                      .x = position_axis(state, "position, or shift of both positions (tokens)"),
                      .y = error_axis(),
                      .row = 1};
    add_curves(panel, state, &ChainCurves::worst);
    return panel;
}

plot::Panel by_pair_panel(const PrecisionState& state) {
    const auto steps = static_cast<std::int64_t>(state.positions.size());
    const auto pairs = static_cast<double>(state.pairs.size());
    const double last = state.spec.pairs() - 1;
    plot::Panel panel{.id = "by_pair",
                      .title = "error by pair: " + state.selected->title,
                      .x = {.label = "position, 2^{x}", .min = 0, .max = 20, .integers = true},
                      .y = {.label = "pair", .min = -0.5, .max = last + 0.5, .integers = true},
                      .color_bar = true,
                      .column = 1,
                      .row_span = 2};
    panel.marks.emplace_back(plot::HeatMap{.columns = steps,
                                           .rows = static_cast<std::int64_t>(state.pairs.size()),
                                           .values = state.by_pair,
                                           .x0 = 0,
                                           .y0 = -0.5,
                                           .dx = 20.0 / static_cast<double>(steps),
                                           .dy = (last + 1) / pairs,
                                           .min = -10,
                                           .max = 0.3,
                                           .label = "log_{10} of the error"});
    return panel;
}

}  // namespace ropescope::figures
