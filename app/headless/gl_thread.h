// A thread that runs calls in an OpenGL context of its own.
#pragma once

#include <functional>
#include <memory>

#include "app/headless/egl_context.h"
#include "core/engine/dispatched_engine.h"

namespace ropescope::headless {

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
