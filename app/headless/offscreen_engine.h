// The GPU engine without a window: it computes on a thread that has an OpenGL context of its own.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/headless/egl_context.h"
#include "core/engine/dispatched_engine.h"

namespace ropescope::headless {

/// Any thread may use the engine, one at a time. A context that the request shares with can draw
/// what the engine publishes. Throws CapabilityError if EGL offers no OpenGL 4.3.
std::unique_ptr<Engine> make_offscreen_engine(EglRequest request = {}, Fallback fallback = {});

/// Opens engines that are all on one device: the first that is opened decides which. Copies share
/// the device. Safe from any thread.
class SharedDevice {
  public:
    /// `device` as in EglRequest.
    explicit SharedDevice(const std::string& device);

    /// From now on engines share with the context that is current on this thread, if it is one of
    /// EGL's with OpenGL 4.3 and on a device that was asked for.
    void share_with_current_context() const;
    /// Throws as make_offscreen_engine().
    std::unique_ptr<Engine> open(Fallback fallback = {}) const;
    /// EglRequest::device of the next engine: as it was given, then the number of the device.
    std::string device() const;

  private:
    struct Shared;
    std::shared_ptr<Shared> shared_;
};

// A thread that runs calls in an OpenGL context of its own.

/// Other contexts (the window's, a screenshot's) stay current on their threads.
class GlThread final : public CallThread {
  public:
    /// Throws as EglContext.
    explicit GlThread(const EglRequest& request);
    /// Runs what was posted, then ends the thread.
    ~GlThread() override;
    GlThread(const GlThread&) = delete;
    GlThread& operator=(const GlThread&) = delete;

    const EglDevice& device() const;
    /// As EglContext::shares().
    bool shares() const;

    void run(const std::function<void()>& call) override;
    void post(std::function<void()> call) override;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace ropescope::headless
