// The current OpenGL context: what it can do, queried once and never assumed, and its errors.
#include "core/gpu/gl_context.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include "core/base/error.h"

namespace ropescope::gpu {

// Queries the limits of the current OpenGL context.

namespace {

constexpr int kOldestVersion = 43;  ///< compute shaders and storage buffers

std::string gl_string(GLenum name) {
    const GLubyte* text = glGetString(name);
    return text == nullptr ? "" : reinterpret_cast<const char*>(text);
}

std::int64_t gl_limit(GLenum name) {
    GLint64 value = 0;
    glGetInteger64v(name, &value);
    return value;
}

std::int64_t first_dimension(GLenum name) {
    GLint value = 0;
    glGetIntegeri_v(name, 0, &value);
    return value;
}

}  // namespace

bool is_software(std::string_view renderer) {
    for (const char* name : {"llvmpipe", "softpipe", "swrast", "SwiftShader"}) {
        if (renderer.find(name) != std::string_view::npos) {
            return true;
        }
    }
    return false;
}

DeviceLimits query_limits() {
    DeviceLimits limits;
    limits.renderer = gl_string(GL_RENDERER);
    limits.version = gl_string(GL_VERSION);
    if (limits.version.empty()) {
        throw CapabilityError("GPU: no OpenGL context is current");
    }
    if (!epoxy_is_desktop_gl() || epoxy_gl_version() < kOldestVersion) {
        throw CapabilityError(fmt::format("GPU: {} has OpenGL {}; compute shaders need 4.3",
                                          limits.renderer, limits.version));
    }
    limits.software = is_software(limits.renderer);
    limits.storage_bytes = gl_limit(GL_MAX_SHADER_STORAGE_BLOCK_SIZE);
    limits.storage_alignment = gl_limit(GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT);
    limits.uniform_alignment = gl_limit(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT);
    limits.groups = first_dimension(GL_MAX_COMPUTE_WORK_GROUP_COUNT);
    limits.shared_bytes = gl_limit(GL_MAX_COMPUTE_SHARED_MEMORY_SIZE);
    limits.invocations = gl_limit(GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS);
    return limits;
}

// Turns OpenGL errors and lost contexts into exceptions.

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
