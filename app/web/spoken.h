// The window in words and plain controls, for a screen reader and for small screens.
#pragma once

#include <string>

#include "app/gui/state/app_state.h"

namespace ropescope::web {

/// A JSON object: "title", "question", "report" (what the figure shows, in text), "view", "views"
/// (id and name of each), "controls" (name, label, help, unit, value, and choices, or min, max and
/// step), "error", "notice", and "lesson" (title, step, steps, text, task, hint, choices, done)
/// while one is open.
std::string spoken_json(const gui::AppState& state);

}  // namespace ropescope::web
