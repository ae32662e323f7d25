// Draws frames until the picture comes to rest.
#include "app/headless/screenshot.h"

#include <stdexcept>

#include "app/headless/offscreen_gui.h"
#include "app/lessons/further_checks.h"
#include "core/base/error.h"
#include "core/checks/check_run.h"

namespace ropescope::headless {

Image screenshot(const Scene& scene, Engine& engine, const ScreenshotOptions& options) {
    // The first frame differs: sizes of text are known only after a frame has drawn it.
    constexpr int kMostFrames = 8;
    OffscreenGui gui(scene, engine, options);
    gui.state().shown.progress = options.progress;
    if (gui::shows_checks(scene)) {
        // Nothing waits here, so the picture shows the finished run.
        gui.state().checks = {.phase = gui::ChecksState::Phase::over,
                              .run = run_all_checks(engine, lessons::further_checks())};
    }
    gui.frame();
    Image last;
    for (int i = 0; i < kMostFrames; ++i) {
        gui.frame();
        Image image = gui.read();
        if (!gui.state().shown.error.empty()) {
            throw InputError(gui.state().shown.error);
        }
        if (image.pixels == last.pixels) {
            return image;
        }
        last = std::move(image);
    }
    throw std::runtime_error("screenshot: the picture does not come to rest");
}

}  // namespace ropescope::headless
