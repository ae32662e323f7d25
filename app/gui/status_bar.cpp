// The status bar: what computes, what was just done, what a frame costs.
#include <fmt/format.h>

#include "app/gui/parts.h"
#include "app/gui/widgets.h"

namespace ropescope::gui {

void draw_status(const Ui& ui) {
    const AppState& state = ui.state;
    const plot::Rect& bar = ui.regions.status;
    double x = bar.x + ui.px(20);
    const auto item = [&](const std::string& text, plot::Role role) {
        const double room = bar.x + bar.width - x - ui.px(150);
        x += ui.text({x, bar.y, room, bar.height}, text, ui.small(role)) + ui.px(28);
    };
    // The device is in the tooltip: a picture of the window does not depend on the machine.
    const double from = x;
    item("engine " + upper_case(state.engine->name()), plot::Role::dim);
    if (ui.touch("engine", {from, bar.y, x - from, bar.height}, false).hovered) {
        tooltip(ui, "computed on " + state.engine->device());
    }
    if (!state.notice.empty()) {
        item(state.notice, plot::Role::text);
    }
    if (state.frame_ms > 0) {
        ui.text({bar.x, bar.y, bar.width - ui.px(20), bar.height},
                fmt::format("frame {:.1f} ms", state.frame_ms),
                ui.mono(plot::Role::dim, ui.theme.small_px), 1);
    }
}

}  // namespace ropescope::gui
