// Puts shader files together: resolves includes, and traces a compiler's messages back to files.
// Uses no OpenGL.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ropescope::gpu {

/// Returns the text of a file by its path in the repository; nullopt if there is none.
using ReadShader = std::function<std::optional<std::string_view>(std::string_view path)>;

struct ShaderSource {
    std::string text;
    std::vector<std::string> files;  ///< index: the source-string number in #line directives
};

/// "#version 430 core", the defines ("NAME VALUE") and the file `path` with every
/// `#include "shaders/..."` replaced by that file, each file once. Throws std::logic_error with
/// file and line of an include that does not exist.
ShaderSource put_together(std::string_view path, std::span<const std::string> defines,
                          const ReadShader& read);

/// The compiler's messages, one a line, as "shaders/rotate.comp:12: ...". Understands how Mesa,
/// NVIDIA and AMD write source-string and line.
std::string located_messages(const ShaderSource& source, std::string_view log);

}  // namespace ropescope::gpu
