// Draws the controls below a figure that has its whole width, side by side.
#include <algorithm>

#include "app/gui/panels/control_rows.h"
#include "app/gui/panels/panels.h"
#include "app/gui/state/hall.h"

namespace ropescope::gui {

void draw_hall_strip(Ui& ui) {
    constexpr double kSide = 28, kTop = 8, kBetween = 36;
    const plot::Rect& area = ui.regions.controls;
    const std::vector<const Parameter*> controls = hall_controls(ui.state());
    if (controls.empty() || area.height < 1) {
        return;
    }
    const Surface surface(ui, "hall strip", area, Surface::Kind::child);
    const double count = to_double(std::ssize(controls));
    const double width =
        std::max(0.0, area.width - 2 * ui.px(kSide) - (count - 1) * ui.px(kBetween)) / count;
    double x = surface.origin().x + ui.px(kSide);
    for (const Parameter* parameter : controls) {
        ControlRows rows({x, surface.origin().y + ui.px(kTop), width, 0});
        draw_control(ui, rows, *parameter);
        if (parameter->name == ui.state().wanted_control) {
            ui.state().focus.go_to_last_drawn();
        }
        x += width + ui.px(kBetween);
    }
    ui.state().wanted_control.clear();
    surface.content_height(1);
}

}  // namespace ropescope::gui
