// The whole user interface without a window: draws its state frame by frame into a picture. Used by
// screenshots, image tests and the frame benchmark.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/gui/state/app_state.h"
#include "app/gui/toolkit/toolkit.h"
#include "app/headless/egl_context.h"
#include "app/headless/screenshot.h"

namespace ropescope::headless {

// A picture to draw into instead of a window. Needs a current OpenGL context.

class Framebuffer {
  public:
    /// Throws InputError when a side is below 1 or above what this OpenGL can draw.
    Framebuffer(int width, int height);
    ~Framebuffer();
    Framebuffer(const Framebuffer&) = delete;
    Framebuffer& operator=(const Framebuffer&) = delete;

    void bind() const;
    /// Opaque pixels, top row first.
    Image read() const;

  private:
    int width_ = 0, height_ = 0;
    std::uint32_t framebuffer_ = 0, color_ = 0;
};

/// What a person does during a frame; the keys go to state().keys.
struct ScriptedInput {
    std::optional<plot::Pixel> mouse;  ///< outside the window by default
    bool mouse_down = false;           ///< the left button
    bool right_down = false;           ///< the right button
    double wheel = 0;                  ///< turns away from the person; 0 again after the frame
    std::string typed;                 ///< UTF-8, cleared by the frame that reads it
};

class OffscreenGui {
  public:
    /// Throws CapabilityError without EGL, InputError for a size or theme that is not possible.
    OffscreenGui(const Scene& scene, Engine& engine, const ScreenshotOptions& options);

    gui::AppState& state() { return state_; }
    gui::Toolkit& toolkit() { return toolkit_; }
    ScriptedInput input;
    /// Draws one frame, a sixtieth of a second after the last. Returns our own CPU time in
    /// milliseconds.
    double frame();
    Image read() const { return framebuffer_.read(); }
    const EglDevice& device() const { return context_.device(); }

  private:
    int width_, height_;
    double scale_;
    EglContext context_;
    Framebuffer framebuffer_;
    gui::Toolkit toolkit_;
    gui::AppState state_;
};

}  // namespace ropescope::headless
