// The current OpenGL context: what it can do, queried once and never assumed, and its errors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ropescope::gpu {

// What the current OpenGL context can do: queried once, never assumed.

struct DeviceLimits {
    std::string renderer;  ///< GL_RENDERER
    std::string version;   ///< GL_VERSION
    /// The processor executes the shaders (llvmpipe and the like); shared memory with barriers is
    /// slow there.
    bool software = false;
    /// Work groups that keep a large device busy: about four for each of its processors.
    std::int64_t busy_tiles = 512;
    std::int64_t storage_bytes = 0;      ///< largest range that a shader can bind
    std::int64_t storage_alignment = 0;  ///< of the begin of such a range, bytes
    std::int64_t uniform_alignment = 0;  ///< the same of a parameter block
    std::int64_t groups = 0;             ///< work groups of one dispatch, first dimension
    std::int64_t shared_bytes = 0;       ///< shared memory of a work group
    std::int64_t invocations = 0;        ///< threads of a work group
};

/// Whether GL_RENDERER names a program on the processor.
bool is_software(std::string_view renderer);

/// Throws CapabilityError if no context is current, or it is older than OpenGL 4.3.
DeviceLimits query_limits();

// Reports OpenGL errors as exceptions.

/// Throws CapabilityError if OpenGL reports an error or the loss of the context. `doing` goes into
/// the message: "while rotating a tensor".
void check_gl(std::string_view doing);

}  // namespace ropescope::gpu
