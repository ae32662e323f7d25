// Draws a control for each parameter that the view reads, and the values under the cursor.
#include <algorithm>
#include <string>
#include <utility>

#include "app/gui/panels/control_rows.h"
#include "app/gui/panels/panels.h"
#include "app/gui/state/actions.h"
#include "app/gui/state/finder.h"
#include "app/gui/state/menus.h"
#include "app/gui/state/model_menu.h"
#include "app/gui/state/scene_text.h"
#include "app/gui/toolkit/ui.h"
#include "app/gui/toolkit/widgets.h"
#include "app/scene/values.h"
#include "core/base/index.h"

namespace ropescope::gui {
namespace {

constexpr double kModelHeading = 28, kModelRow = 28, kModelInset = 10;

void draw_family(const Ui& ui, ControlRows& rows, const std::string& family) {
    const plot::Rect where = rows.next(ui.px(kModelHeading));
    ui.text(where, upper_case(family), ui.small(plot::Role::dim));
}

void draw_model(Ui& ui, ControlRows& rows, const ModelEntry& model) {
    const plot::Rect row = rows.next(ui.px(kModelRow));
    const Touch touch = ui.touch("show " + model.id, row);
    const bool current = is_shown(model, ui.state().scene);
    if (current || touch.hovered) {
        ui.fill(row, current ? plot::Role::selected : plot::Role::raised, 6);
    }
    if (touch.focused) {
        focus_ring(ui, row);
    }
    ui.text({row.x + ui.px(kModelInset), row.y, row.width - 2 * ui.px(kModelInset), row.height},
            model.title, ui.caption(plot::Role::text));
    if (touch.hovered) {
        tooltip(ui, model.facts);
    }
    if (touch.clicked) {
        choose_model(ui.state(), model.id);
    }
}

void draw_model_list(Ui& ui, ControlRows& rows) {
    for (const std::string& family : model_families()) {
        bool first = true;
        for (const ModelEntry& model : model_menu()) {
            if (model.several_axes || model.family != family) {
                continue;  // the view axes shows models of several axes
            }
            if (std::exchange(first, false)) {
                draw_family(ui, rows, family);
            }
            draw_model(ui, rows, model);
        }
    }
}

constexpr double kControlsSide = 24, kControlsTop = 14, kControlsHeading = 24, kFirstRow = 22;
constexpr double kReadoutsTop = 10, kReadoutsHeading = 26, kReadout = 20, kReadoutsBottom = 12;
constexpr double kMostReadouts = 0.45;  ///< of the height of the panel

/// Not drawn if the first row below it would begin behind `end`: then it would head nothing.
void draw_heading(const Ui& ui, ControlRows& rows, const std::string& text, bool first,
                  double end) {
    rows.space(first ? 0 : ui.px(3));
    const plot::Rect line = rows.next(first ? 0 : ui.px(12));
    const plot::Rect where = rows.next(ui.px(kControlsHeading));
    if (where.y + where.height + ui.px(kFirstRow) > end) {
        return;
    }
    if (!first) {
        ui.rule({line.x, line.y}, line.width, false);
    }
    ui.text({where.x, where.y, where.width, ui.px(18)}, upper_case(text),
            ui.small(plot::Role::dim));
}

/// The point under the cursor; if there is none, the middle of the selected panel.
std::optional<Hover> readout_place(const plot::Figure& figure, const std::optional<Hover>& hover) {
    if (hover) {
        return hover;
    }
    const auto selected = std::ranges::find(figure.panels, true, &plot::Panel::selected);
    if (selected == figure.panels.end()) {
        return std::nullopt;
    }
    return Hover{
        selected->id,
        {(selected->x.min + selected->x.max) / 2, (selected->y.min + selected->y.max) / 2}};
}

/// What a list of so many values needs, in pixels.
double needed_height(const Ui& ui, std::int64_t values) {
    return ui.px(kReadoutsTop + kReadoutsHeading + kReadoutsBottom +
                 kReadout * to_double(std::max<std::int64_t>(1, values)));
}

/// The room of the view's longest list. Without values the list leaves it to the controls if they
/// need it.
double readouts_height(const Ui& ui, bool any) {
    const auto height_of = [&](std::int64_t rows) {
        return std::min(needed_height(ui, rows), ui.regions.controls.height * kMostReadouts);
    };
    const double all = height_of(ui.state().shown.readout_rows);
    const bool needed = ui.state().controls_px > ui.regions.controls.height - all;
    return any || !needed ? all : height_of(1);
}

void draw_readouts(const Ui& ui, plot::Rect area, const plot::Figure* figure,
                   const std::optional<Hover>& hover, const std::optional<Hover>& place) {
    ui.rule({area.x + ui.px(kControlsSide), area.y}, area.width - 2 * ui.px(kControlsSide), false);
    if (figure == nullptr) {
        return;
    }
    std::vector<plot::Readout> values;
    if (place) {
        values = ui.state().shown.picture->readouts_at(place->panel, place->at);
    }
    const Surface surface(ui, "readouts", area, Surface::Kind::child);
    plot::Rect row{surface.origin().x + ui.px(kControlsSide),
                   surface.origin().y + ui.px(kReadoutsTop), area.width - 2 * ui.px(kControlsSide),
                   ui.px(kReadout)};
    ui.text(row, upper_case(hover || values.empty() ? "Under the cursor" : "Selected"),
            ui.small(plot::Role::dim));
    row.y += ui.px(kReadoutsHeading);
    if (values.empty()) {
        ui.text(row, "Move the mouse over the figure.", ui.caption(plot::Role::dim));
    }
    const plot::TextStyle mono = ui.mono(plot::Role::text, ui.theme.small_px);
    for (const plot::Readout& readout : values) {
        const double used = ui.text(row, readout.value, mono, 1);
        ui.text({row.x, row.y, row.width - used - ui.px(8), row.height}, readout.name,
                ui.style(plot::Role::dim, ui.theme.small_px));
        row.y += row.height;
    }
    surface.content_height(row.y - surface.origin().y);
}

/// Puts a known fault into the engine and runs the checks again, to show which ones find it.
void draw_fault_switch(Ui& ui, ControlRows& rows, double end) {
    draw_heading(ui, rows, "Break it", false, end);
    ChecksState& checks = ui.state().checks;
    for (const std::string& name : enum_names<EngineFault>()) {
        const EngineFault fault = *enum_value<EngineFault>(name);
        const std::string label = fault == EngineFault::none ? "no fault" : spoken(name, ' ');
        const plot::Rect row = rows.next(ui.px(28));
        if (button(ui, "break " + name, row, label,
                   {.selected = checks.fault == fault,
                    .raised = true,
                    .text = plot::Role::text,
                    .help = fault_text(fault)})) {
            checks.fault = fault;
            checks.phase = ChecksState::Phase::asked;
        }
        rows.space(ui.px(4));
    }
}

}  // namespace

bool list_shows(const Ui& ui, std::int64_t values) {
    return !ui.state().presenting && !ui.regions.lesson_beside &&
           needed_height(ui, values) <= readouts_height(ui, true);
}

void draw_controls(Ui& ui, const std::optional<Hover>& hover) {
    plot::Rect area = ui.regions.controls;
    // Values belong to the scene of the figure, not to one that a control has changed and that may
    // be invalid.
    const plot::Figure* const figure = ui.state().shown.current();
    const std::optional<Hover> place =
        figure == nullptr ? std::nullopt : readout_place(*figure, hover);
    const double below = readouts_height(ui, place.has_value());
    draw_readouts(ui, {area.x, area.y + area.height - below, area.width, below}, figure, hover,
                  place);
    area.height -= below;
    const double end = area.y + area.height;

    const Surface surface(ui, "controls", area, Surface::Kind::child);
    ControlRows rows({surface.origin().x + ui.px(kControlsSide),
                      surface.origin().y + ui.px(kControlsTop),
                      area.width - 2 * ui.px(kControlsSide), 0});
    std::string group;
    AppState& state = ui.state();
    const figures::View& view = figures::view_by_id(state.scene.view);
    const std::string played = view.played.empty() ? "key_position" : view.played;
    const Parameter* const above_figure = text_above_figure(ui);
    for (const Parameter* parameter : shown_controls(state.scene)) {
        if (parameter == above_figure) {
            continue;
        }
        if (parameter->group != group) {
            draw_heading(ui, rows, parameter->group, group.empty(), end);
            group = parameter->group;
        }
        draw_control(ui, rows, *parameter);
        if (parameter->name == state.wanted_control) {
            state.wanted_control.clear();
            state.focus.go_to_last_drawn();
        }
        if (parameter->name == played) {
            draw_transport(ui, rows);  // what it moves stands above it
        }
    }
    state.wanted_control.clear();  // of a control that is not there
    if (view.id == "context") {
        const plot::Rect row = rows.next(ui.px(30));
        if (button(ui, "copy rope_scaling", row, "Copy the rope_scaling block",
                   {.raised = true, .text = plot::Role::text})) {
            copy_rope_scaling(ui.state());
        }
        rows.space(ui.px(8));
    }
    if (view.id == "model") {
        draw_model_list(ui, rows);
    }
    if (view.shows_check_run) {
        draw_fault_switch(ui, rows, end);
    }
    state.controls_px = rows.bottom() - surface.origin().y;
    surface.content_height(state.controls_px);
}

}  // namespace ropescope::gui
