// Places lines of cells in a panel.
#include "app/figures/shared/lines_panel.h"

namespace ropescope::figures {

plot::Panel lines_panel(const char* id, double columns, Index lines, int row) {
    return {.id = id,
            .x = {.min = 0, .max = columns, .visible = false},
            .y = {.min = 0.3 - to_double(lines), .max = 0.7, .visible = false},
            .row = row};
}

void add_line(plot::Panel& panel, double line, const std::vector<std::string>& cells,
              plot::Role role) {
    for (Index column = 0; column < std::ssize(cells); ++column) {
        const bool first = column == 0;
        panel.marks.emplace_back(plot::Label{.at = {first ? 0.06 : to_double(column) + 0.97, -line},
                                             .text = cells[column],
                                             .role = role,
                                             .anchor_x = first ? 0.0 : 1.0,
                                             .anchor_y = 0.5,
                                             .mono = !first && line > 0});
    }
}

}  // namespace ropescope::figures
