// The published models, family by family; a click shows one.
#pragma once

#include "app/gui/panels/control_rows.h"
#include "app/gui/toolkit/ui.h"

namespace ropescope::gui {

/// Each row is an area named "show ID".
void draw_model_list(Ui& ui, Rows& rows);

}  // namespace ropescope::gui
