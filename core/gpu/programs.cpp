#include "core/gpu/programs.h"

#include <epoxy/gl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/embedded.h"
#include "core/base/error.h"
#include "core/gpu/shader_source.h"

namespace ropescope::gpu {
namespace {

std::string log_of(GLuint object, bool is_shader) {
    GLint length = 0;
    (is_shader ? glGetShaderiv : glGetProgramiv)(object, GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(length), '\0');
    (is_shader ? glGetShaderInfoLog : glGetProgramInfoLog)(object, length, nullptr, log.data());
    return log.c_str();  // without what follows the end
}

[[noreturn]] void refuse(const ShaderSource& source, const std::string& log) {
    std::string messages = located_messages(source, log);
    messages.erase(messages.find_last_not_of('\n') + 1);
    for (std::size_t at = 0; (at = messages.find('\n', at)) != std::string::npos;) {
        messages.replace(at, 1, "; ");  // an error is one line
    }
    throw CapabilityError(
        fmt::format("GPU: the driver does not compile {}: {}", source.files.front(), messages));
}

}  // namespace

std::uint32_t compile_compute(const ShaderSource& source) {
    const GLuint shader = glCreateShader(GL_COMPUTE_SHADER);
    const char* text = source.text.c_str();
    glShaderSource(shader, 1, &text, nullptr);
    glCompileShader(shader);
    GLint compiled = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (compiled != GL_TRUE) {
        const std::string log = log_of(shader, true);
        glDeleteShader(shader);
        refuse(source, log);
    }
    const GLuint program = glCreateProgram();
    glAttachShader(program, shader);
    glLinkProgram(program);
    glDeleteShader(shader);
    GLint linked = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked != GL_TRUE) {
        const std::string log = log_of(program, false);
        glDeleteProgram(program);
        refuse(source, log);
    }
    return program;
}

Programs::~Programs() {
    for (const auto& [key, program] : programs_) {
        glDeleteProgram(program);
    }
}

std::uint32_t Programs::get(std::string_view path, const Defines& defines) {
    std::string key = fmt::format("{} {}", path, fmt::join(defines, " "));
    const auto found = programs_.find(key);
    if (found != programs_.end()) {
        return found->second;
    }
    const std::uint32_t program = compile_compute(put_together(path, defines, embedded_file));
    programs_.emplace(std::move(key), program);
    return program;
}

}  // namespace ropescope::gpu
