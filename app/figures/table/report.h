// The table view's numbers as a table and as a text.
#pragma once

#include <string>

#include "app/figures/table/state.h"

namespace ropescope::figures {

/// CSV: a row a drawn cell with its first position, the positions averaged, pair and value.
plot::DataTable table_data(const TableGrid& grid);

/// Up to 16 positions by up to 16 pairs, in double.
std::string table_report(const TableState& state);

}  // namespace ropescope::figures
