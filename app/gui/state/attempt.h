// Actions that may be refused.
#pragma once

#include <exception>

#include "app/gui/state/app_state.h"
#include "core/base/error.h"

namespace ropescope::gui {

/// Runs an action that may throw, and keeps the error for the window to show.
template <class Try>
bool attempt(AppState& state, const Try& action) {
    try {
        action();
        state.error.clear();
        return true;
    } catch (const std::exception& refused) {
        state.error = reason_of(refused);
        return false;
    }
}

}  // namespace ropescope::gui
