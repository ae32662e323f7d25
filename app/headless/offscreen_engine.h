// The GPU engine without a window: a thread with a context of its own computes, whoever asks.
#pragma once

#include <memory>
#include <string>

#include "core/gpu/gpu_engine.h"

namespace ropescope::headless {

/// `device` as in EglRequest. Throws CapabilityError when there is no OpenGL 4.3 through EGL. The
/// engine may be used from any thread, by one at a time.
std::unique_ptr<Engine> make_offscreen_engine(const std::string& device = "",
                                              InjectedLoss loss = {});

}  // namespace ropescope::headless
