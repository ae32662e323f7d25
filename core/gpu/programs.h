// Shader programs, compiled when first needed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ropescope::gpu {

/// Macros of a variant of a shader, "NAME VALUE" each.
using Defines = std::vector<std::string>;

class Programs {
  public:
    Programs() = default;
    ~Programs();
    Programs(const Programs&) = delete;
    Programs& operator=(const Programs&) = delete;

    /// The OpenGL name of the program of an embedded file such as "shaders/rotate.comp". Throws
    /// CapabilityError with the compiler's messages, by file and line.
    std::uint32_t get(std::string_view path, const Defines& defines);
    /// The same for drawing: "shaders/live_dots" stands for a vertex shader (.vert) and a fragment
    /// shader (.frag).
    std::uint32_t get_drawing(std::string_view path);

  private:
    template <typename Compile>
    std::uint32_t known_or(std::string key, const Compile& compile);

    std::map<std::string, std::uint32_t, std::less<>> programs_;
};

struct ShaderSource;
/// Compile any text, embedded or not. Errors as Programs::get().
std::uint32_t compile_compute(const ShaderSource& source);
std::uint32_t compile_drawing(const ShaderSource& vertex, const ShaderSource& fragment);

// Puts shader files together: resolves includes, and traces a compiler's messages back to files.
// Uses no OpenGL.

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
