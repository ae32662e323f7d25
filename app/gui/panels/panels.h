// The parts of the window, in the order in which a frame draws them: one function for each.
// Sources: bar.cpp, navigation.cpp, figure_area.cpp, controls.cpp, explanation.cpp,
// hall_strip.cpp, text_strip.cpp, sheets.cpp.
#pragma once

#include <optional>
#include <string>

#include "app/gui/toolkit/ui.h"
#include "app/scene/parameters.h"

namespace ropescope::gui {

/// A place in the figure: the point of a panel that lies under the mouse.
struct Hover {
    std::string panel;
    plot::Point at;
};

void draw_bar(Ui& ui);
/// Where the bar's button for the model lies; the list of models opens below it.
plot::Rect model_button(const Ui& ui);

void draw_navigation(Ui& ui);
std::optional<Hover> draw_figure_area(Ui& ui);
void draw_controls(Ui& ui, const std::optional<Hover>& hover);
/// Whether the list "Under the cursor" below the controls shows so many values at once. A
/// presentation and a lesson beside the figure have no list, and that of a low window is short.
bool list_shows(const Ui& ui, std::int64_t values);
void draw_explanation(Ui& ui);
/// The height at which the explanation of the scene's view shows all its words.
double explanation_height(const Ui& ui);
void draw_status_bar(Ui& ui);
/// The text that the figure is made of and its tokens, above it; returns the height that they take.
double draw_text_strip(Ui& ui);
/// The parameter that stands there instead of among the controls; null if none does.
const Parameter* text_above_figure(const Ui& ui);
/// The controls below the figure of a presentation.
void draw_hall_strip(Ui& ui);
/// The overlay that is open, if one is.
void draw_overlay(Ui& ui);

}  // namespace ropescope::gui
