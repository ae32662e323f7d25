// A thread with an OpenGL context of its own, in which work is done in the order it is given.
#pragma once

#include <functional>
#include <memory>

#include "app/headless/egl_context.h"

namespace ropescope::headless {

/// Whatever other contexts there are (the window's, a screenshot's) stay current on their threads.
class GlThread {
  public:
    /// Throws as EglContext.
    explicit GlThread(const EglRequest& request);
    /// Finishes what was given to it.
    ~GlThread();
    GlThread(const GlThread&) = delete;
    GlThread& operator=(const GlThread&) = delete;

    const EglDevice& device() const;
    bool shares() const;

    /// Does it now and returns when it is done. Rethrows what it throws, or what work given to
    /// post() threw before.
    void run(const std::function<void()>& work);
    /// Does it soon. When it throws, what was posted after it is left undone, up to the next run().
    void post(std::function<void()> work);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace ropescope::headless
