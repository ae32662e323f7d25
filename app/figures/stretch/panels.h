// What the stretching view shows of its state. Sources: panels.cpp, report.cpp.
#pragma once

#include <string>
#include <vector>

#include "app/figures/stretch/state.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

/// The curves "accuracy" over the length and "turns" over the pairs, and the table "methods".
plot::Panel accuracy_panel(const StretchState& state);
plot::Panel turns_panel(const StretchState& state);
plot::Panel stretch_methods_panel(const StretchState& state);
/// An entry for each method.
std::vector<plot::LegendEntry> stretch_legend(const StretchState& state);

/// "27.6": a share in percent.
std::string percent_text(double share);
/// The header of the table, and the cells of a row: method, % right, points more or fewer than at
/// the trained length, slower pairs, pairs at new angles, and the settings of the method.
std::vector<std::string> stretch_header();
std::vector<std::string> stretch_cells(const StretchState& state, const StretchRow& row);

/// CSV: method, length_tokens, right, hidden, share_percent, pair, wavelength_positions,
/// turns_in_text, attention_factor: one row for each method, length and pair.
plot::DataTable stretch_data(const StretchState& state);

std::string stretch_report(const StretchState& state);

}  // namespace ropescope::figures
