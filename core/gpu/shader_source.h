// Shader files put together: includes resolved, and a compiler's messages traced back to them.
// Knows no OpenGL.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ropescope::gpu {

/// The text of a file by its path in the repository; nullopt when there is none.
using ReadShader = std::function<std::optional<std::string_view>(std::string_view path)>;

struct ShaderSource {
    std::string text;
    std::vector<std::string> files;  ///< by the source-string numbers of the #line directives
};

/// "#version 430 core", the defines ("NAME VALUE") and the file `path` with every
/// `#include "shaders/..."` replaced by that file, each file once. Throws std::logic_error naming
/// file and line of an include that is not there.
ShaderSource put_together(std::string_view path, std::span<const std::string> defines,
                          const ReadShader& read);

/// The compiler's messages, one a line as "shaders/rotate.comp:12: ...". Understands the ways in
/// which Mesa, NVIDIA and AMD write "source-string, line".
std::string located_messages(const ShaderSource& source, std::string_view log);

}  // namespace ropescope::gpu
