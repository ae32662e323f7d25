// The controls: one for each parameter that the view reads, made from the table of parameters, and
// the values under the cursor.
#include <algorithm>
#include <cctype>

#include "app/gui/actions.h"
#include "app/gui/control_rows.h"
#include "app/gui/parts.h"
#include "app/gui/widgets.h"

namespace ropescope::gui {
namespace {

constexpr double kSide = 24, kTop = 18, kHeading = 26, kReadoutRow = 22;

void draw_heading(const Ui& ui, Rows& rows, std::string text, bool first) {
    if (!first) {
        rows.space(ui.px(8));
        const plot::Rect line = rows.next(ui.px(16));
        ui.rule({line.x, line.y}, line.width, false);
    }
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    const plot::Rect where = rows.next(ui.px(kHeading));
    ui.text({where.x, where.y, where.width, ui.px(20)}, text, ui.small(plot::Role::dim));
}

/// Where the readouts come from: the point under the cursor, else the middle of the selected panel.
std::optional<Hover> readout_place(const AppState& state, const std::optional<Hover>& hover) {
    if (hover || !state.figure) {
        return hover;
    }
    const auto& panels = state.figure->panels;
    const auto selected = std::ranges::find(panels, true, &plot::Panel::selected);
    if (selected == panels.end()) {
        return std::nullopt;
    }
    return Hover{
        selected->id,
        {(selected->x.min + selected->x.max) / 2, (selected->y.min + selected->y.max) / 2}};
}

void draw_readouts(const Ui& ui, Rows& rows, const std::optional<Hover>& hover) {
    const AppState& state = ui.state;
    // The scene of the figure, not one that a control has just changed and nobody has checked.
    if (!state.figure || !state.figure_scene || !state.figure_error.empty()) {
        return;
    }
    const Scene& scene = *state.figure_scene;
    draw_heading(ui, rows, hover ? "Under the cursor" : "Selected", false);
    const std::optional<Hover> place = readout_place(state, hover);
    std::vector<plot::Readout> values;
    if (place) {
        values = figures::view_by_id(scene.view).readouts(scene, place->panel, place->at);
    }
    if (values.empty()) {
        ui.text(rows.next(ui.px(kReadoutRow)), "Move the mouse over the figure.",
                ui.caption(plot::Role::dim));
    }
    for (const plot::Readout& readout : values) {
        const plot::Rect row = rows.next(ui.px(kReadoutRow));
        const plot::TextStyle mono = ui.mono(plot::Role::text, ui.theme.small_px + 0.5);
        const double value_width = ui.width(readout.value, mono);
        ui.text(row, readout.value, mono, 1);
        ui.text({row.x, row.y, row.width - value_width - ui.px(8), row.height}, readout.name,
                ui.caption(plot::Role::dim));
    }
}

}  // namespace

void draw_controls(const Ui& ui, const std::optional<Hover>& hover) {
    const plot::Rect& area = ui.regions.controls;
    const Surface surface(ui, "controls", area, Surface::Kind::child);
    Rows rows{{surface.origin().x + ui.px(kSide), surface.origin().y + ui.px(kTop),
               area.width - 2 * ui.px(kSide), 0}};
    std::string group;
    for (const std::string& name : figures::view_by_id(ui.state.scene.view).parameters) {
        const Parameter* parameter = find_parameter(name);
        if (parameter == nullptr || name == "model" || name == "view") {
            continue;  // the bar and the navigation show these
        }
        if (parameter->group != group) {
            draw_heading(ui, rows, parameter->group, group.empty());
            group = parameter->group;
        }
        draw_control(ui, rows, *parameter);
        if (name == "key_position") {
            draw_transport(ui, rows);  // what it moves stands above it
        }
    }
    draw_readouts(ui, rows, hover);
    surface.content_height(rows.bottom() + ui.px(kTop) - surface.origin().y);
}

}  // namespace ropescope::gui
