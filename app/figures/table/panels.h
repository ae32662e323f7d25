// What the table view shows of its state. Sources: panels.cpp, report.cpp.
#pragma once

#include <string>

#include "app/figures/table/state.h"

namespace ropescope::figures {

/// "table": the grid as a heat map, position across, pair upwards.
plot::Panel heat_panel(const TableState& state);

/// "trace": the selected pair's row as a wave.
plot::Panel trace_panel(const TableState& state);

/// CSV: a row for each drawn cell with its first position, the number of positions averaged, pair
/// and value.
plot::DataTable table_data(const TableGrid& grid);

/// Up to 16 positions by up to 16 pairs, in double.
std::string table_report(const TableState& state);

}  // namespace ropescope::figures
