// Queries the limits of the current OpenGL context.
#include "core/gpu/device_limits.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include "core/base/error.h"

namespace ropescope::gpu {
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

}  // namespace ropescope::gpu
