// A field for the path of a file that is written, in a sheet.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "app/gui/toolkit/ui.h"

namespace ropescope::gui {

/// The field of a path, what is said about it, and the question before a file is replaced.
/// `write` does what the button says, and the sheet closes if it did.
void draw_sheet_path(Ui& ui, plot::Rect row, std::string_view hint, std::string_view action,
                     const std::function<bool(const std::string& path)>& write);

}  // namespace ropescope::gui
