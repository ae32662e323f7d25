// The controls: one for each parameter that the view reads, made from the table of parameters.
#include "app/gui/panels/control_rows.h"
#include "app/gui/panels/panels.h"
#include "app/scene/scene_scaling.h"

namespace ropescope::gui {
namespace {

constexpr double kSide = 24, kTop = 14, kHeading = 24;

void draw_heading(const Ui& ui, Rows& rows, const std::string& text, bool first) {
    if (!first) {
        rows.space(ui.px(3));
        const plot::Rect line = rows.next(ui.px(12));
        ui.rule({line.x, line.y}, line.width, false);
    }
    const plot::Rect where = rows.next(ui.px(kHeading));
    ui.text({where.x, where.y, where.width, ui.px(18)}, upper_case(text),
            ui.small(plot::Role::dim));
}

}  // namespace

void draw_controls(Ui& ui, const std::optional<Hover>& hover) {
    plot::Rect area = ui.regions.controls;
    const double below = readouts_height(ui);
    draw_readouts(ui, {area.x, area.y + area.height - below, area.width, below}, hover);
    area.height -= below;

    const Surface surface(ui, "controls", area, Surface::Kind::child);
    Rows rows({surface.origin().x + ui.px(kSide), surface.origin().y + ui.px(kTop),
               area.width - 2 * ui.px(kSide), 0});
    std::string group;
    const figures::View& view = figures::view_by_id(ui.state().scene.view);
    const std::string played = view.played.empty() ? "key_position" : view.played;
    for (const std::string& name : view.parameters) {
        const Parameter* parameter = find_parameter(name);
        if (parameter == nullptr || name == "model" || name == "view") {
            continue;  // the bar and the navigation show these
        }
        if (!is_used(ui.state().scene, *parameter)) {
            continue;
        }
        if (parameter->group != group) {
            draw_heading(ui, rows, parameter->group, group.empty());
            group = parameter->group;
        }
        draw_control(ui, rows, *parameter);
        if (name == played) {
            draw_transport(ui, rows);  // what it moves stands above it
        }
    }
    surface.content_height(rows.bottom() - surface.origin().y);
}

}  // namespace ropescope::gui
