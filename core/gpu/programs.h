// Shader programs, compiled when first needed.
#pragma once

#include <cstdint>
#include <map>
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

}  // namespace ropescope::gpu
