// Named texts below each other: how many have room in a place, and how they are drawn there.
#pragma once

#include "app/plot/painter.h"
#include "app/plot/placed_panel.h"

namespace ropescope::plot {

/// How many facts have not even a line in the area.
int facts_left_out(const Facts& facts, Rect area, const Pen& pen);

void draw_facts(const Facts& facts, Rect area, const Pen& pen);

}  // namespace ropescope::plot
