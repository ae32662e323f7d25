// The parts of a model that turn in several axes, for the model view.
#pragma once

#include "app/figures/model/rows.h"
#include "core/schemes/part.h"

namespace ropescope::figures {

/// For each part that turns in several axes: its axes with the pairs of each, how positions are
/// made, and the view that draws it. Empty if there is none.
Rows part_rows(const std::vector<Part>& parts);

}  // namespace ropescope::figures
