// The window without a window: its state, drawn frame by frame into a picture. Screenshots, image
// tests and the frame benchmark use it.
#pragma once

#include "app/gui/app_state.h"
#include "app/gui/toolkit.h"
#include "app/headless/egl_context.h"
#include "app/headless/framebuffer.h"
#include "app/headless/screenshot.h"

namespace ropescope::headless {

class OffscreenGui {
  public:
    /// Throws CapabilityError without EGL, InputError for a size or theme that cannot be.
    OffscreenGui(const Scene& scene, Engine& engine, const ScreenshotOptions& options);

    gui::AppState& state() { return state_; }
    /// Draws one frame, a sixtieth of a second after the last. The mouse is nowhere. Returns our
    /// own CPU time in milliseconds.
    double frame();
    Image read() const { return framebuffer_.read(); }
    const EglDevice& device() const { return context_.device(); }

  private:
    int width_, height_;
    EglContext context_;
    Framebuffer framebuffer_;
    gui::Toolkit toolkit_;
    gui::AppState state_;
};

}  // namespace ropescope::headless
