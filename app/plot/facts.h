// Named texts below each other, as a mark of a panel.
#pragma once

#include "app/plot/figure.h"
#include "app/plot/pen.h"

namespace ropescope::plot {

void draw_facts(const Facts& facts, Rect area, const Pen& pen);

}  // namespace ropescope::plot
