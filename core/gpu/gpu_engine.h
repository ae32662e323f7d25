// The engine in GLSL compute.
#pragma once

#include <cstdint>
#include <memory>

#include "core/engine/engine.h"

namespace ropescope {

/// For tests: after so many launches the device behaves as one that was lost; below 0: never.
struct InjectedLoss {
    std::int64_t launches = -1;
};

/// Works in the OpenGL context that is current on this thread (4.3 or newer), and must be used and
/// destroyed while it still is. Throws CapabilityError when there is no such context; its methods
/// throw it when the device fails, before anything of the caller's is changed.
std::unique_ptr<Engine> make_gpu_engine(InjectedLoss loss = {});

}  // namespace ropescope
