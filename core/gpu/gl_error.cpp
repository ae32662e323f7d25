// Turns OpenGL errors and lost contexts into exceptions.
#include "core/gpu/gl_error.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include "core/base/error.h"

namespace ropescope::gpu {
namespace {

std::string_view error_name(GLenum error) {
    switch (error) {
        case GL_INVALID_ENUM:
            return "invalid enum";
        case GL_INVALID_VALUE:
            return "invalid value";
        case GL_INVALID_OPERATION:
            return "invalid operation";
        case GL_INVALID_FRAMEBUFFER_OPERATION:
            return "invalid framebuffer operation";
        case GL_OUT_OF_MEMORY:
            return "out of memory";
        case GL_CONTEXT_LOST:
            return "the context is lost";
        default:
            return "unknown error";
    }
}

bool context_lost() {
    // Check for the function first: epoxy ends the process if one is missing.
    if (epoxy_gl_version() >= 45) {
        return glGetGraphicsResetStatus() != GL_NO_ERROR;
    }
    return epoxy_has_gl_extension("GL_ARB_robustness") &&
           glGetGraphicsResetStatusARB() != GL_NO_ERROR;
}

}  // namespace

void check_gl(std::string_view doing) {
    constexpr int kMostErrors = 16;  // a lost context may report its loss again and again
    const GLenum first = glGetError();
    for (int i = 0; i < kMostErrors && glGetError() != GL_NO_ERROR; ++i) {
    }
    if (context_lost()) {
        throw CapabilityError(fmt::format("GPU: the OpenGL context was lost while {}", doing));
    }
    if (first != GL_NO_ERROR) {
        throw CapabilityError(
            fmt::format("GPU: OpenGL reports '{}' while {}", error_name(first), doing));
    }
}

}  // namespace ropescope::gpu
