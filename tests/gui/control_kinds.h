// Which control a parameter has in the window, and other values that a person would give it.
#pragma once

#include <string>
#include <vector>

#include "app/scene/parameters.h"
#include "tests/gui/person.h"

namespace ropescope::test {

enum class ControlKind { slider, segments, list, text };

/// The control of a parameter that the window shows.
ControlKind control_kind(Person& person, const Parameter& parameter);

/// What a person may type into the field of the parameter; not its default.
std::string text_for(const Parameter& parameter);

/// The value behind the current one, or before it if it is the last.
std::string neighbour(const std::vector<std::string>& values, const std::string& now);

/// The scene in which the test of a view begins: one in which its controls have something to
/// change.
Scene scene_with_controls(const std::string& view);

}  // namespace ropescope::test
