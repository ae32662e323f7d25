// Reads the Markdown pages of the documents: their examples, the output that they show, and their
// words.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ropescope::test {

/// The text of a page, by its path below the root of the tree.
std::string page(const std::string& name);

/// The pages below a folder by their paths below the root, in the order of their names.
std::vector<std::string> pages_below(const std::string& folder);

/// The pages whose examples run: the README, the command line, and the book's own chapters.
std::vector<std::string> pages_with_examples();

/// A command that a page shows: a line of an `sh` block that calls the program, or a line behind "$
/// " in a `console` block, which the lines that it prints follow.
struct Example {
    std::string command;
    std::optional<std::vector<std::string>> output = {};  ///< nothing in an `sh` block
};

/// In the order of the page; commands that would open a window are left out.
std::vector<Example> examples_of(const std::string& name);

/// Whether the lines are what was printed. A line "..." stands for any number of lines, "…" in a
/// line for any text. Spaces at the ends of lines do not count, nor does the width of those within
/// numbers.
bool shows(const std::vector<std::string>& lines, const std::string& printed);

/// The page without its blocks and code, and with the words of its links only.
std::string prose_of(const std::string& text);

/// The blocks between ``` marks, each with its lines.
std::vector<std::string> blocks_of(const std::string& text);

/// The cells of the first column of every table of the text, without their headings.
std::vector<std::string> first_cells_of(const std::string& text);

}  // namespace ropescope::test
