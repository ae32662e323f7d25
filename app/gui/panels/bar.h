// The bar above the figure with the switch between CPU and GPU, and the status bar below it.
#pragma once

#include <string>

#include "app/gui/toolkit/ui.h"

namespace ropescope::gui {

// The switch between the engines, and how they differ, in words.

/// Shows which engine computes; a click on the other half changes to the other engine.
void draw_engine_switch(Ui& ui, plot::Rect where);
double engine_switch_width(const Ui& ui);
/// "GPU 3.1 ms, CPU 1.9 ms, max |difference| 2.4e-07"
std::string comparison_text(const EngineComparison& comparison);

}  // namespace ropescope::gui
