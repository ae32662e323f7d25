// Where a picture of the window shows the navigation. It lists every view, so it has baselines of
// its own and counts in no other picture: a new view changes no picture of another one.
#pragma once

#include "app/gui/state/app_state.h"
#include "app/headless/screenshot.h"

namespace ropescope::test {

/// In pixels of the picture; empty for a window that presents.
inline plot::Rect navigation_of(const headless::ScreenshotOptions& options,
                                bool presenting = false) {
    gui::AppState state;
    state.theme = plot::theme_by_name(options.theme);
    state.scale = options.scale;
    return gui::regions(options.width * options.scale, options.height * options.scale,
                        {.unit = gui::design_unit(state), .presenting = presenting})
        .navigation;
}

}  // namespace ropescope::test
