// Actions that may be refused.
#pragma once

#include <exception>

#include "app/gui/state/app_state.h"

namespace ropescope::gui {

/// Runs an action that may throw, and keeps the error for the window to show.
template <class Try>
bool attempt(AppState& state, const Try& action) {
    try {
        action();
        state.error.clear();
        return true;
    } catch (const std::exception& refused) {
        state.error = refused.what();
        return false;
    }
}

}  // namespace ropescope::gui
