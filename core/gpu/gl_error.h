// OpenGL's errors as exceptions.
#pragma once

#include <string_view>

namespace ropescope::gpu {

/// Throws CapabilityError when OpenGL reports an error or the loss of the context. `doing` says
/// what was being done: "rotating a tensor".
void check_gl(std::string_view doing);

}  // namespace ropescope::gpu
