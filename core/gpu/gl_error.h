// Reports OpenGL errors as exceptions.
#pragma once

#include <string_view>

namespace ropescope::gpu {

/// Throws CapabilityError if OpenGL reports an error or the loss of the context. `doing` goes into
/// the message: "while rotating a tensor".
void check_gl(std::string_view doing);

}  // namespace ropescope::gpu
