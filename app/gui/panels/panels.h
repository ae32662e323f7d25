// The parts of the window. Sources: bar.cpp, navigation.cpp, figure_area.cpp, controls.cpp,
// readouts.cpp, explanation.cpp, status_bar.cpp, overlays.cpp, engine_switch.cpp.
#pragma once

#include <optional>
#include <string>

#include "app/gui/toolkit/ui.h"

namespace ropescope::gui {

/// The data point under the mouse.
struct Hover {
    std::string panel;
    plot::Point at;
};

void draw_bar(Ui& ui);
void draw_navigation(Ui& ui);
std::optional<Hover> draw_figure_area(Ui& ui);
void draw_controls(Ui& ui, const std::optional<Hover>& hover);
double readouts_height(const Ui& ui);
void draw_readouts(const Ui& ui, plot::Rect area, const std::optional<Hover>& hover);
void draw_explanation(Ui& ui);
void draw_status(Ui& ui);
/// The overlay that is open, if one is.
void draw_overlay(Ui& ui);

void draw_models_overlay(Ui& ui);
void draw_export_overlay(Ui& ui);
void draw_help_overlay(Ui& ui);

/// Which engine computes; it flips between the two.
void draw_engine_switch(Ui& ui, plot::Rect where);
double engine_switch_width(const Ui& ui);
/// "GPU 3.1 ms, CPU 1.9 ms, max |difference| 2.4e-07"
std::string comparison_text(const EngineComparison& comparison);

/// Where the model menu's button lies in the bar; its list opens below.
plot::Rect model_button(const Ui& ui);

}  // namespace ropescope::gui
