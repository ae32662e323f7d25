// What the context view shows of its state. Sources: panels.cpp, report.cpp.
#pragma once

#include <string>
#include <vector>

#include "app/figures/context/state.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

/// The curves "slowdown", the table "methods", the "block" for config.json and the "notes".
plot::Panel slowdown_panel(const ContextState& state);
plot::Panel methods_panel(const ContextState& state);
plot::Panel block_panel(const ContextState& state);
plot::Panel notes_panel(const ContextState& state);

/// The name of a method on screen: "none" for the unscaled encoding.
std::string shown_name(const MethodRow& row);
/// The header of the table of methods, and the cells of a row.
std::vector<std::string> method_header();
std::vector<std::string> method_cells(const MethodRow& row);

/// CSV: method, pair, inv_freq_rad, wavelength_positions, slowdown, attention_factor,
/// softmax_scale_factor.
plot::DataTable context_data(const ContextState& state);

std::string context_report(const ContextState& state);

}  // namespace ropescope::figures
