// The two panels of the table view.
#pragma once

#include "app/figures/table/state.h"

namespace ropescope::figures {

/// "table": the grid as a heat map, position across, pair upwards.
plot::Panel heat_panel(const TableState& state);

/// "trace": the selected pair's row as a wave.
plot::Panel trace_panel(const TableState& state);

}  // namespace ropescope::figures
