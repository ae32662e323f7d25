// The window in words and plain controls, for a screen reader and for small screens.
#pragma once

#include <string>

#include "app/gui/state/app_state.h"

namespace ropescope::web {

/// A JSON object with what never changes: "views", "lessons" and "models" (id and name of each).
std::string lists_json();

/// A JSON object: "title", "question", "report" (what the figure shows, in text), "view", "model"
/// (ids), "model_name" (of what the figure is made of, as the window shows it), "model_file" (of
/// "model"), "controls" (name, label, help, unit, value, and value_name and choices, id
/// and name of each, or min, max and step), "error", "notice", "work" and "stopped" (of a figure
/// that is not whole), "run" (of the checks), "undo" (whether there is something to undo), and
/// "lesson" (id, title, step, steps, text, task, hint, choices, answered, last, done) while one is
/// open.
std::string spoken_json(const gui::AppState& state);

}  // namespace ropescope::web
