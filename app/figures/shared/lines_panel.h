// Panels of text in lines and columns, without axes.
#pragma once

#include <string>
#include <vector>

#include "app/plot/figure.h"
#include "core/base/index.h"

namespace ropescope::figures {

/// A panel without axes for lines of text, line n at y = -n and column c from x = c to c + 1.
plot::Panel lines_panel(const char* id, double columns, Index lines, int row);

/// Adds a line of cells: the first at the left of its column, the others at the right of theirs
/// and, below the first line, in letters of equal width.
void add_line(plot::Panel& panel, double line, const std::vector<std::string>& cells,
              plot::Role role);

}  // namespace ropescope::figures
