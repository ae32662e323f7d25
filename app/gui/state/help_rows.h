// The keys and what the mouse does, for the help of the window and for the user guide.
#pragma once

#include <string>
#include <vector>

namespace ropescope::gui {

struct HelpRow {
    std::string keys, does;
};

/// The keys, from the tables that handle them; then what the mouse and the focus do.
std::vector<HelpRow> help_rows();
/// The same as the table of the user guide, in Markdown.
std::string help_markdown();

}  // namespace ropescope::gui
