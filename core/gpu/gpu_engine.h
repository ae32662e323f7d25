// The engine in GLSL compute.
#pragma once

#include <memory>

#include "core/engine/engine.h"

namespace ropescope {

/// Works in the OpenGL context that is current on this thread (4.3 or newer), and must be used and
/// destroyed while it still is. Throws CapabilityError when there is no such context; its methods
/// throw it when the device fails, before anything of the caller's is changed.
std::unique_ptr<Engine> make_gpu_engine();

}  // namespace ropescope
