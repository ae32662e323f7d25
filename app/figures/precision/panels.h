// What the precision view shows of its state. Sources: panels.cpp, report.cpp.
#pragma once

#include <string>
#include <vector>

#include "app/figures/precision/state.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

/// One line for each chain.
std::vector<plot::LegendEntry> chain_legend(const PrecisionState& state);
plot::Panel error_panel(const PrecisionState& state);
plot::Panel violation_panel(const PrecisionState& state);
plot::Panel by_pair_panel(const PrecisionState& state);

/// CSV: chain, position (last of its step), largest_error (of cos and sin, all pairs),
/// violation_worst and violation_typical (of q_m . k_n when both move there, over |q| |k|).
plot::DataTable precision_data(const PrecisionState& state);

std::string precision_report(const PrecisionState& state);

}  // namespace ropescope::figures
