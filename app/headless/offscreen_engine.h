// The GPU engine without a window: a thread with a context of its own computes, whoever asks.
#pragma once

#include <memory>
#include <string>

#include "app/headless/egl_context.h"
#include "core/gpu/gpu_engine.h"

namespace ropescope::headless {

/// Throws CapabilityError when there is no OpenGL 4.3 through EGL. The engine may be used from any
/// thread, by one at a time. What it publishes can be drawn by the context that it shares with.
std::unique_ptr<Engine> make_offscreen_engine(const EglRequest& request = {},
                                              InjectedLoss loss = {});

/// Engines on one device, whoever asks for one: which it is, the first that is opened decides.
/// Copies are the same. Safe from any thread.
class OneDevice {
  public:
    /// `device` as in EglRequest.
    explicit OneDevice(const std::string& device);

    /// Engines that are opened from now on share with the context that is current on this thread,
    /// where that can be (EGL's, OpenGL 4.3) and its device is one that was asked for.
    void share_with_current_context() const;
    /// Throws as make_offscreen_engine().
    std::unique_ptr<Engine> open() const;
    /// What EglRequest is told: as it was given, then the number of the device.
    std::string device() const;

  private:
    struct Shared;
    std::shared_ptr<Shared> shared_;
};

}  // namespace ropescope::headless
