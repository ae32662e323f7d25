// Writes tables as text.
#include "core/base/text_table.h"

#include <algorithm>

#include "core/base/index.h"

namespace ropescope {
namespace {

/// Code points: every character used here is one column wide.
Index width(const std::string& text) {
    return std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; });
}

}  // namespace

std::string text_table(const std::vector<std::string>& header,
                       const std::vector<std::vector<std::string>>& rows) {
    std::vector<Index> widths;
    for (Index c = 0; c < std::ssize(header); ++c) {
        widths.push_back(width(header[c]));
        for (const auto& row : rows) {
            widths[c] = std::max(widths[c], width(row[c]));
        }
    }
    std::string text;
    const auto add_row = [&](const std::vector<std::string>& row) {
        for (Index c = 0; c < std::ssize(row); ++c) {
            text.append(widths[c] - width(row[c]) + (c == 0 ? 0 : 2), ' ');
            text += row[c];
        }
        text += '\n';
    };
    add_row(header);
    for (const auto& row : rows) {
        add_row(row);
    }
    return text;
}

}  // namespace ropescope
