// The table of an encoder's parameters, in the form of torchinfo's summary: the two can be compared
// line by line.
#include <fmt/format.h>

#include "app/cli/inspect.h"

namespace ropescope::cli {
namespace {

/// "24,576,000"
std::string with_commas(std::int64_t count) {
    std::string text = fmt::format("{}", count);
    for (std::size_t end = text.size(); end > 3; end -= 3) {
        text.insert(end - 3, ",");
    }
    return text;
}

std::string branch(int depth) {
    std::string text;
    for (int above = 1; above < depth; ++above) {
        text += "│    ";
    }
    return depth == 0 ? text : text + (depth == 1 ? "├─" : "└─");
}

std::string row_text(const std::string& layer, const std::string& shape, const std::string& count) {
    std::string text = fmt::format("{:<40} {:<25} {}", layer, shape, count);
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
}

}  // namespace

std::string parameter_text(const ParameterTable& table) {
    std::string text = row_text("Layer (type:depth-idx)", "Output Shape", "Param #");
    for (const ParameterRow& row : table.rows) {
        text += row_text(branch(row.depth) + row.layer,
                         row.output_shape.empty() ? "--" : shape_text(row.output_shape),
                         row.parameters ? with_commas(*row.parameters) : "--");
    }
    return text + fmt::format("Total params: {}\n", with_commas(table.total));
}

}  // namespace ropescope::cli
