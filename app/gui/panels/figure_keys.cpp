// Moves the cursor from panel to panel and inside a panel.
#include "app/gui/panels/figure_keys.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <algorithm>
#include <cmath>

#include "app/gui/panels/figure_mouse.h"
#include "app/gui/state/actions.h"
#include "app/gui/toolkit/widgets.h"

namespace ropescope::gui {
namespace {

constexpr double kKeyStep = 0.02, kLeap = 0.1;  ///< of the plot; with Shift the latter

/// The panel of the cursor, or the first one.
const plot::PlacedPanel& panel_of(const FigureCursor& cursor,
                                  const std::vector<plot::PlacedPanel>& panels) {
    const auto found = std::ranges::find_if(
        panels, [&](const plot::PlacedPanel& placed) { return placed.panel->id == cursor.panel; });
    return found == panels.end() ? panels.front() : *found;
}

/// Page up and page down go to the panel before and behind.
void turn_page(Ui& ui, FigureCursor& cursor, const std::vector<plot::PlacedPanel>& panels) {
    const auto count = std::ssize(panels);
    const auto now = &panel_of(cursor, panels) - panels.data();
    const int by = ui.take({GLFW_KEY_PAGE_DOWN}) ? 1 : ui.take({GLFW_KEY_PAGE_UP}) ? -1 : 0;
    cursor.panel = panels[static_cast<std::size_t>((now + by + count) % count)].panel->id;
}

/// The key alone, or with Shift for a leap, in one frame.
double steps(Ui& ui, int key) {
    return ui.take({key}) ? kKeyStep : ui.take({key, false, true}) ? kLeap : 0;
}

void move(Ui& ui, FigureCursor& cursor) {
    const double right = steps(ui, GLFW_KEY_RIGHT) - steps(ui, GLFW_KEY_LEFT);
    const double down = steps(ui, GLFW_KEY_DOWN) - steps(ui, GLFW_KEY_UP);
    cursor.right = std::clamp(cursor.right + right, 0.0, 1.0);
    cursor.down = std::clamp(cursor.down + down, 0.0, 1.0);
}

plot::Pixel place_of(const FigureCursor& cursor, const plot::PlacedPanel& panel) {
    const plot::Rect& plot = panel.plot;
    // Its last pixels belong to it, those behind to the neighbour.
    return {plot.x + std::min(cursor.right * plot.width, plot.width - 1),
            plot.y + std::min(cursor.down * plot.height, plot.height - 1)};
}

}  // namespace

std::optional<plot::Pixel> follow_figure_keys(Ui& ui, const Touch& touch,
                                              const std::vector<plot::PlacedPanel>& panels) {
    FigureCursor& cursor = ui.state().figure_cursor;
    if (!touch.focused || panels.empty()) {
        cursor.inside = false;
        return std::nullopt;
    }
    focus_ring(ui, ui.regions.figure);
    if (!cursor.inside) {
        cursor.inside = touch.clicked;
        return std::nullopt;
    }
    if (ui.take({GLFW_KEY_ESCAPE})) {
        cursor.inside = false;
        return std::nullopt;
    }
    turn_page(ui, cursor, panels);
    move(ui, cursor);
    const plot::PlacedPanel& panel = panel_of(cursor, panels);
    const plot::Pixel at = place_of(cursor, panel);
    if (touch.clicked && ui.state().shown.error.empty()) {
        click(ui.state(), panel.panel->id, panel.to_data(at));
    }
    return at;
}

}  // namespace ropescope::gui
