// The parts of the window that belong to lessons.
#pragma once

#include "app/gui/toolkit/ui.h"

namespace ropescope::gui {

/// The open lesson, in the place of the explanation.
void draw_lesson_panel(Ui& ui);
/// The list of all lessons, over the window.
void draw_lessons_overlay(Ui& ui);
/// The offer of the first lesson, in the place of the explanation.
void draw_lesson_offer(Ui& ui);

}  // namespace ropescope::gui
