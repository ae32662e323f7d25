// How the plot of a panel is shared among the columns and rows of texts that it has.
#pragma once

#include <string>

#include "app/plot/figure.h"
#include "app/plot/painter.h"
#include "app/plot/placed_panel.h"

namespace ropescope::plot {

/// The height that a panel with few rows needs to show all of them; of many, the first.
double least_rows_height(const Panel& panel, const Pen& pen);

/// Gives columns and rows their room in the plot. Where some have none, the plot gives up a line,
/// and the text for it is returned: "3 more rows".
std::string fit_panel_tracks(PlacedPanel& placed, const Pen& pen);

/// The same for named texts below each other.
std::string fit_panel_facts(PlacedPanel& placed, const Pen& pen);

}  // namespace ropescope::plot
