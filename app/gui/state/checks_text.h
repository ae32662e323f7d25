// The run of the checks in a few words.
#pragma once

#include <string>

#include "app/gui/state/app_state.h"

namespace ropescope::gui {

/// "Run the checks", "checks: 12 of 248", "231 checks hold", "2 of 231 checks fail, first
/// rope.norm".
std::string checks_text(const ChecksState& checks);

}  // namespace ropescope::gui
