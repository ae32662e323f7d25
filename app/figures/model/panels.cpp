// Draws the panels of the model view.
#include "app/figures/model/panels.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/figures/text.h"
#include "core/base/printable.h"

namespace ropescope::figures {

using plot::Role;

plot::Panel spectrum_panel(const ModelState& state) {
    const ModelConfig& model = *state.model();
    const double context = to_double(model.max_positions);
    plot::Panel panel{
        .id = "spectrum",
        .x = {.label = "pair", .min = -0.75, .integers = true},
        .y = {.label = "wavelength (positions per turn)", .scale = plot::AxisScale::log10}};
    constexpr Role kRoles[] = {Role::first, Role::second, Role::third, Role::text};
    constexpr plot::Dash kDashes[] = {plot::Dash::none, plot::Dash::dashed, plot::Dash::dotted,
                                      plot::Dash::dash_dot};
    double lowest = 6, highest = std::max(10.0, context);
    for (Index i = 0; i < std::ssize(state.layers); ++i) {
        const auto& [layer, spectrum] = state.layers[i];
        plot::Points points{.points = {}, .role = kRoles[i % std::ssize(kRoles)]};
        for (Index pair = 0; pair < spectrum.pairs(); ++pair) {
            const double wavelength = spectrum.wavelength_positions(pair);
            if (std::isfinite(wavelength)) {
                points.points.push_back({to_double(pair), wavelength});
                lowest = std::min(lowest, wavelength);
                highest = std::max(highest, wavelength);
            }
        }
        panel.x.max = std::max(panel.x.max, to_double(spectrum.pairs()) - 0.25);
        if (state.layers.size() > 1) {
            panel.marks.emplace_back(plot::Line{.points = points.points,
                                                .role = points.role,
                                                .width = 0.6,
                                                .dash = kDashes[i % std::ssize(kDashes)],
                                                .label = printable(layer.layer_type)});
        }
        panel.marks.emplace_back(std::move(points));
    }
    if (model.max_positions > 0) {
        panel.marks.emplace_back(plot::Rule{.vertical = false,
                                            .at = context,
                                            .label = "context " + whole_text(model.max_positions)});
    }
    panel.y.min = lowest / 1.6;
    panel.y.max = highest * 1.6;
    return panel;
}

plot::Panel rows_panel(const std::string& id, const Rows& rows, Index lines) {
    constexpr double kValues = 0.26;  // where they begin
    plot::Panel panel{.id = id,
                      .x = {.min = 0, .max = 1, .visible = false},
                      .y = {.min = 0.4 - to_double(lines), .max = 0.6, .visible = false}};
    for (Index line = 0; line < std::min<Index>(lines, std::ssize(rows)); ++line) {
        const plot::Readout& row = rows[line];
        const double y = -to_double(line);
        panel.rows.push_back({.first = y - 0.5, .last = y + 0.5});
        panel.marks.emplace_back(
            plot::Label{.at = {0.0075, y}, .text = row.name, .role = Role::dim, .anchor_y = 0.5});
        panel.marks.emplace_back(plot::Label{.at = {kValues, y},
                                             .text = row.value,
                                             .anchor_y = 0.5,
                                             .mono = true,
                                             .width = 0.9925 - kValues,
                                             .smallest = 0.8});
    }
    return panel;
}

}  // namespace ropescope::figures
