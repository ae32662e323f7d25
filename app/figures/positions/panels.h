// What the positions view shows of its state. Sources: panels.cpp, report.cpp.
#pragma once

#include <string>

#include "app/figures/positions/state.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

/// "tokens": the sequence as a strip, each segment in the colour of its kind and named.
plot::Panel strip_panel(const PositionsState& state);

/// "right" or "below": the positions of the axes under the strip, a line for each, with jumps.
plot::Panel right_panel(const PositionsState& state);
plot::Panel below_panel(const PositionsState& state);

/// The kinds of tokens that the sequence has, and the lines of the axes.
std::vector<plot::LegendEntry> positions_legend(const PositionsState& state);

/// CSV: a row for each token.
plot::DataTable positions_data(const PositionsState& state);

/// A table of the segments.
std::string positions_report(const PositionsState& state);

}  // namespace ropescope::figures
