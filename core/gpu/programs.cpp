// Compiles and links shaders, and keeps the programs.
#include "core/gpu/programs.h"

#include <algorithm>
#include <array>
#include <epoxy/gl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <regex>
#include <span>
#include <stdexcept>
#include <utility>

#include "core/base/embedded.h"
#include "core/base/error.h"

namespace ropescope::gpu {
namespace {

std::string log_of(GLuint object, bool is_shader) {
    GLint length = 0;
    (is_shader ? glGetShaderiv : glGetProgramiv)(object, GL_INFO_LOG_LENGTH, &length);
    std::string log(length, '\0');
    (is_shader ? glGetShaderInfoLog : glGetProgramInfoLog)(object, length, nullptr, log.data());
    return {log.begin(), std::ranges::find(log, '\0')};
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

/// One stage of a program.
GLuint compile(GLenum stage, const ShaderSource& source) {
    const GLuint shader = glCreateShader(stage);
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
    return shader;
}

/// Links and consumes the shaders. If they do not fit together, the error names `source`.
GLuint link(std::span<const GLuint> shaders, const ShaderSource& source) {
    const GLuint program = glCreateProgram();
    for (const GLuint shader : shaders) {
        glAttachShader(program, shader);
        glDeleteShader(shader);  // takes effect when the program is deleted
    }
    glLinkProgram(program);
    GLint linked = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked != GL_TRUE) {
        const std::string log = log_of(program, false);
        glDeleteProgram(program);
        refuse(source, log);
    }
    return program;
}

}  // namespace

std::uint32_t compile_compute(const ShaderSource& source) {
    return link(std::array{compile(GL_COMPUTE_SHADER, source)}, source);
}

std::uint32_t compile_drawing(const ShaderSource& vertex, const ShaderSource& fragment) {
    const GLuint first = compile(GL_VERTEX_SHADER, vertex);
    return link(std::array{first, compile(GL_FRAGMENT_SHADER, fragment)}, vertex);
}

Programs::~Programs() {
    for (const auto& [key, program] : programs_) {
        glDeleteProgram(program);
    }
}

template <typename Compile>
std::uint32_t Programs::known_or(std::string key, const Compile& compile) {
    const auto found = programs_.find(key);
    return found != programs_.end() ? found->second
                                    : programs_.emplace(std::move(key), compile()).first->second;
}

std::uint32_t Programs::get(std::string_view path, const Defines& defines) {
    return known_or(fmt::format("{} {}", path, fmt::join(defines, " ")),
                    [&] { return compile_compute(put_together(path, defines, embedded_file)); });
}

std::uint32_t Programs::get_drawing(std::string_view path) {
    return known_or(std::string(path), [&] {
        const auto stage = [&](const char* ending) {
            return put_together(std::string(path) + ending, {}, embedded_file);
        };
        return compile_drawing(stage(".vert"), stage(".frag"));
    });
}

// Resolves includes of shaders, and traces messages of compilers back to files.

namespace {

class Assembler {
  public:
    explicit Assembler(const ReadShader& read) : read_(read) {}

    void add(std::string_view path, std::string_view wanted_by) {
        if (std::ranges::find(source.files, path) != source.files.end()) {
            return;
        }
        const std::optional<std::string_view> text = read_(path);
        if (!text) {
            throw std::logic_error(fmt::format("{}: there is no shader file {}", wanted_by, path));
        }
        const std::size_t file = source.files.size();
        source.files.emplace_back(path);
        source.text += fmt::format("#line 1 {}\n", file);
        add_lines(*text, path, file);
    }

    ShaderSource source;

  private:
    void add_lines(std::string_view text, std::string_view path, std::size_t file) {
        constexpr std::string_view kInclude = "#include \"";
        for (int line = 1; !text.empty(); ++line) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            const std::string_view content = text.substr(0, end);
            text.remove_prefix(std::min(end + 1, text.size()));
            if (!content.starts_with(kInclude)) {
                source.text.append(content).append("\n");
                continue;
            }
            const std::string_view rest = content.substr(kInclude.size());
            add(rest.substr(0, rest.find('"')), fmt::format("{}:{}", path, line));
            source.text += fmt::format("#line {} {}\n", line + 1, file);
        }
    }

    const ReadShader& read_;
};

}  // namespace

ShaderSource put_together(std::string_view path, std::span<const std::string> defines,
                          const ReadShader& read) {
    Assembler assembler(read);
    assembler.source.text = "#version 430 core\n";
    for (const std::string& define : defines) {
        assembler.source.text += fmt::format("#define {}\n", define);
    }
    assembler.add(path, "shader");
    return std::move(assembler.source);
}

std::string located_messages(const ShaderSource& source, std::string_view log) {
    // Mesa "1:12(5): error: ...", NVIDIA "1(12) : error ...", AMD "ERROR: 1:12: ...".
    static const std::regex kPlace(
        R"(^(?:ERROR: |WARNING: )?(\d+)(?::(\d+)(?:\(\d+\))?|\((\d+)\))\s*:\s*(.*)$)");
    std::string messages;
    for (std::size_t begin = 0; begin < log.size();) {
        const std::size_t end = std::min(log.find('\n', begin), log.size());
        const std::string line(log.substr(begin, end - begin));
        begin = end + 1;
        std::smatch match;
        if (!std::regex_match(line, match, kPlace)) {
            messages += line.empty() ? "" : line + "\n";
            continue;
        }
        const std::size_t file = std::stoul(match[1]);
        messages += fmt::format("{}:{}: {}\n",
                                file < source.files.size() ? source.files[file] : match[1].str(),
                                match[2].matched ? match[2].str() : match[3].str(), match[4].str());
    }
    return messages;
}

}  // namespace ropescope::gpu
