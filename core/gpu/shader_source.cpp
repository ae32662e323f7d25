// Resolves includes of shaders, and traces messages of compilers back to files.
#include "core/gpu/shader_source.h"

#include <algorithm>
#include <fmt/format.h>
#include <regex>
#include <stdexcept>

namespace ropescope::gpu {
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
