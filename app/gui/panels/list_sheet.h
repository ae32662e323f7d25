// A list of rows under a control, from which one is chosen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/gui/toolkit/ui.h"

namespace ropescope::gui {

struct ListRow {
    std::string id;  ///< of the row's area; unique in the list
    std::string name, detail = {};
    bool current = false;
    bool enabled = true;
    bool explained = false;  ///< by the glossary, while the mouse is over it
    bool heading = false;    ///< of the rows below it; nothing to choose
};

/// Draws the list on a sheet below the control `below`, or over it if there is no room. Arrows and
/// the first letters of names move the focus, Enter chooses. `just_opened` is true in the first
/// frame, in which the current row gets the focus, or the first one if no row is current. Returns
/// the row that was chosen.
std::optional<std::size_t> draw_list_sheet(Ui& ui, plot::Rect below,
                                           const std::vector<ListRow>& rows, bool just_opened);

}  // namespace ropescope::gui
