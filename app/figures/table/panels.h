// The two panels of the table view.
#pragma once

#include "app/figures/table/grid.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

/// "table": the grid as a heat map, position across, pair upwards.
plot::Panel heat_panel(const Scene& scene, const TableGrid& grid);

/// "trace": the selected pair's row as a wave.
plot::Panel trace_panel(const Scene& scene, const TableGrid& grid, const Spectrum& spectrum,
                        TensorOps& ops);

}  // namespace ropescope::figures
