// Reads the Markdown pages of the documents.
#include "tests/cli/pages.h"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>

#include "core/base/file.h"
#include "tests/support/paths.h"

namespace ropescope::test {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFence = "```";

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) {
        line.erase(line.find_last_not_of(" \r") + 1);
        lines.push_back(line);
    }
    return lines;
}

bool opens_a_window(const std::string& command) {
    static const std::regex kWindow(R"(^ropescope( --set \S+)*( app.*)?\s*(#.*)?$)");
    return std::regex_match(command, kWindow);
}

using Lines = std::vector<std::string>;

/// Whether the line is the printed one; "…" stands for any text.
bool is_line(const std::string& shown, const std::string& printed) {
    constexpr std::string_view kAnyText = "…";
    const std::size_t at = shown.find(kAnyText);
    if (at == std::string::npos) {
        return shown == printed;
    }
    const std::string before = shown.substr(0, at), after = shown.substr(at + kAnyText.size());
    return printed.size() >= before.size() + after.size() && printed.starts_with(before) &&
           printed.ends_with(after);
}

bool matches(Lines::const_iterator shown, Lines::const_iterator shown_end,
             Lines::const_iterator printed, Lines::const_iterator printed_end) {
    while (shown != shown_end && *shown != "...") {
        if (printed == printed_end || !is_line(*shown++, *printed++)) {
            return false;
        }
    }
    if (shown == shown_end) {
        return printed == printed_end;
    }
    for (++shown;; ++printed) {
        if (matches(shown, shown_end, printed, printed_end)) {
            return true;
        }
        if (printed == printed_end) {
            return false;
        }
    }
}

}  // namespace

std::string page(const std::string& name) {
    return read_file(fs::path(source_dir()) / name);
}

std::vector<std::string> pages_below(const std::string& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(source_dir()) / folder)) {
        if (entry.path().extension() == ".md") {
            names.push_back(entry.path().lexically_relative(source_dir()).string());
        }
    }
    std::ranges::sort(names);
    return names;
}

std::vector<std::string> pages_with_examples() {
    std::vector<std::string> names = {"README.md", "docs/command-line.md", "docs/quick-start.md",
                                      "docs/troubleshooting.md", "docs/user-guide/README.md"};
    for (const char* folder : {"docs/views", "docs/mathematics"}) {
        const std::vector<std::string> chapters = pages_below(folder);
        names.insert(names.end(), chapters.begin(), chapters.end());
    }
    std::erase_if(names, [](const std::string& name) { return examples_of(name).empty(); });
    return names;
}

std::vector<Example> examples_of(const std::string& name) {
    std::vector<Example> examples;
    std::string block;
    for (const std::string& line : lines_of(page(name))) {
        if (line.starts_with(kFence)) {
            block = line.substr(kFence.size());
        } else if (block == "sh" && line.starts_with("ropescope")) {
            if (!opens_a_window(line)) {
                examples.push_back({line});
            }
        } else if (block == "console" && line.starts_with("$ ")) {
            examples.push_back({line.substr(2), Lines()});
        } else if (block == "console" && !examples.empty() && examples.back().output) {
            examples.back().output->push_back(line);
        }
    }
    return examples;
}

bool shows(const std::vector<std::string>& lines, const std::string& printed) {
    static const std::regex kNarrowSpace("\u202F|\u2009");  // between the digits of large numbers
    const Lines given = lines_of(std::regex_replace(printed, kNarrowSpace, " "));
    return matches(lines.begin(), lines.end(), given.begin(), given.end());
}

std::string prose_of(const std::string& text) {
    std::string prose;
    bool inside = false;
    for (const std::string& line : lines_of(text)) {
        if (line.starts_with(kFence)) {
            inside = !inside;
        } else if (!inside) {
            prose += line + "\n";
        }
    }
    prose = std::regex_replace(prose, std::regex("`[^`\n]*`"), "");
    return std::regex_replace(prose, std::regex(R"(\]\([^)]*\))"), "]");
}

std::vector<std::string> blocks_of(const std::string& text) {
    std::vector<std::string> blocks;
    bool inside = false;
    for (const std::string& line : lines_of(text)) {
        if (line.starts_with(kFence)) {
            inside = !inside;
            if (inside) {
                blocks.emplace_back();
            }
        } else if (inside) {
            blocks.back() += line + "\n";
        }
    }
    return blocks;
}

std::vector<std::string> first_cells_of(const std::string& text) {
    std::vector<std::string> cells;
    for (const std::string& line : lines_of(text)) {
        if (line.starts_with("|---")) {
            cells.pop_back();  // the heading above
        } else if (line.starts_with("| ")) {
            cells.push_back(line.substr(2, line.find(" |", 2) - 2));
        }
    }
    return cells;
}

}  // namespace ropescope::test
