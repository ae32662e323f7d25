// The figure by the keyboard: Enter goes into it, arrows move a cursor, whose values are shown.
#pragma once

#include <optional>
#include <vector>

#include "app/gui/panels/panels.h"
#include "app/plot/draw_figure.h"

namespace ropescope::gui {

/// Follows the keys while the figure has the focus. Returns the place of the cursor, in pixels, if
/// the user has gone into the figure; Enter does there what a click does.
std::optional<plot::Pixel> follow_figure_keys(Ui& ui, const Touch& touch,
                                              const std::vector<plot::PlacedPanel>& panels);

}  // namespace ropescope::gui
