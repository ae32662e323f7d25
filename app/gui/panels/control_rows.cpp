// Draws a slider, a row of choices or a text field for each parameter.
#include "app/gui/panels/control_rows.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>

#include "app/gui/panels/glossed_text.h"
#include "app/gui/state/actions.h"
#include "app/gui/state/finder.h"
#include "app/gui/state/menus.h"
#include "app/gui/state/model_menu.h"
#include "app/gui/state/scene_text.h"
#include "app/gui/toolkit/widgets.h"
#include "app/scene/sliders.h"
#include "app/scene/values.h"

namespace ropescope::gui {
namespace {

constexpr double kLabel = 22, kTrackRow = 25, kTrack = 20, kBox = 30, kControlGap = 8;
constexpr std::size_t kMostSegments = 4;  ///< choices that lie side by side

/// The parameter's colour: what belongs to the key is drawn in the key's colour everywhere.
plot::Role role_of(const Parameter& parameter) {
    return parameter.name.starts_with("key") ? plot::Role::key : plot::Role::accent;
}

plot::TextStyle value_style(const Ui& ui) {
    return ui.mono(plot::Role::text, ui.theme.caption_px);
}

/// The value's text; a click turns it into a field.
void draw_value(Ui& ui, const Parameter& parameter, plot::Rect where, double align) {
    AppState& state = ui.state();
    if (state.edit.target == parameter.name && !ui.behind) {
        const double width = align == 0 ? where.width : std::min(where.width, ui.px(120));
        const plot::Rect field{where.x + (where.width - width) * align, where.y - ui.px(2), width,
                               where.height + ui.px(4)};
        const FieldResult result = text_field(ui, parameter.name, field, state.edit);
        const bool wanted = result == FieldResult::accepted || result == FieldResult::left;
        const bool done = wanted && set_value(state, parameter.name, state.edit.text);
        if (done || result == FieldResult::cancelled || result == FieldResult::left) {
            state.edit = {};
        }
        return;
    }
    const plot::TextStyle style = value_style(ui);
    const std::string text = shown_value(state.scene, parameter);
    const double width = std::min(where.width, ui.width(text, style) + ui.px(8));
    const plot::Rect area{where.x + (where.width - width) * align, where.y, width, where.height};
    const Touch touch = ui.touch("value of " + parameter.name, area);
    if (touch.hovered) {
        ui.fill(area, plot::Role::raised, 4);
    }
    if (touch.focused) {
        focus_ring(ui, area);
    }
    ui.text({area.x + ui.px(4) * (align == 0 ? 0 : 1), area.y, area.width - ui.px(4), area.height},
            text, style, align);
    if (touch.clicked) {
        state.edit = {parameter.name, parameter_text(state.scene, parameter), true};
    }
}

/// The name of the control; the mouse over it shows what the parameter is.
void draw_label(Ui& ui, const Parameter& parameter, plot::Rect row) {
    const std::string label = control_label(parameter);
    const double width = ui.text(row, label, ui.body(plot::Role::text));
    const plot::Rect area{row.x, row.y, width, row.height};
    const Touch touch = ui.touch("name of " + parameter.name, area, PressKeys::none);
    if (!touch.hovered) {
        return;
    }
    tooltip(ui, parameter.help);
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        reset_parameter(ui.state(), parameter.name);
    } else if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
        open_menu(ui.state(), {.parameter = parameter.name, .below = area});
    }
}

void drag(Ui& ui, const Parameter& parameter, const SliderTouch& touched) {
    AppState& state = ui.state();
    if (touched.fraction) {
        if (!state.drag_start) {
            state.drag_start = state.scene;
            state.history.end_edit();
        }
        // From where the drag began: what was clipped on the way comes back.
        const double value = slider_value(*state.drag_start, parameter, *touched.fraction);
        edit_scene(state, with_slider(*state.drag_start, parameter.name, value), touched.touch.id);
    }
    if (touched.touch.released) {
        state.drag_start.reset();
        state.history.end_edit();
    }
}

/// Moves the slider by steps of the keyboard.
void nudge(Ui& ui, const Parameter& parameter, const SliderTouch& touched) {
    AppState& state = ui.state();
    const double next = nudged_value(state.scene, parameter, touched.steps);
    if (!touched.repeat) {
        state.history.end_edit();
    }
    edit_scene(state, with_slider(state.scene, parameter.name, next), touched.touch.id);
}

/// A button that plays the slider, while the mouse is over its row or it plays.
void draw_play(Ui& ui, const Parameter& parameter, plot::Rect label, plot::Rect track) {
    AppState& state = ui.state();
    const bool plays = state.playback.playing && state.playback.parameter == parameter.name;
    const ImVec2 mouse = ImGui::GetMousePos();
    const bool near =
        plot::Rect{label.x, label.y, label.width, track.y + track.height - label.y}.contains(
            {mouse.x, mouse.y});
    if ((!near && !plays) || ui.behind) {
        return;
    }
    const double named = ui.width(control_label(parameter), ui.body(plot::Role::text));
    const plot::Rect where{label.x + named + ui.px(8), label.y, ui.px(22), label.height};
    const Touch touch = ui.touch("play " + parameter.name, where, PressKeys::none);
    ui.text(where, plays ? "■" : "▶",
            ui.small(touch.hovered || plays ? plot::Role::accent : plot::Role::dim), 0.5);
    if (touch.hovered) {
        tooltip(ui, "play or stop this slider: Space while it has the focus");
    }
    if (touch.clicked) {
        state.history.end_edit();
        state.playback.play(state.scene, parameter.name);
    }
}

void draw_number(Ui& ui, ControlRows& rows, const Parameter& parameter) {
    const plot::Rect label = rows.next(ui.px(kLabel));
    const double value =
        ui.width(shown_value(ui.state().scene, parameter), value_style(ui)) + ui.px(12);
    draw_label(ui, parameter, {label.x, label.y, label.width - value, label.height});
    draw_value(ui, parameter,
               {label.x + label.width * 0.4, label.y, label.width * 0.6, label.height}, 1);
    const plot::Rect row = rows.next(ui.px(kTrackRow));
    const plot::Rect track{row.x, row.y, row.width, ui.px(kTrack)};
    const SliderTouch touched =
        slider(ui, "slider of " + parameter.name, track,
               slider_fraction(ui.state().scene, parameter), role_of(parameter));
    drag(ui, parameter, touched);
    draw_play(ui, parameter, label, track);
    if (touched.touch.focused && touched.touch.clicked && !touched.touch.held) {
        ui.state().history.end_edit();
        ui.state().playback.play(ui.state().scene, parameter.name);
    }
    if (touched.steps != 0) {
        nudge(ui, parameter, touched);
    }
}

/// Sets the value before or behind the current one in the list. What is not in it, a path for
/// example, comes before the first and behind the last.
void step_choice(AppState& state, const Parameter& parameter,
                 const std::vector<std::string>& values, int by) {
    const auto count = values.size();
    const auto found = static_cast<std::size_t>(
        std::ranges::find(values, parameter_text(state.scene, parameter)) - values.begin());
    const std::size_t to = by > 0 ? (found < count ? found + 1 : 0) : std::min(found, count) - 1;
    if (to < count) {
        set_value(state, parameter.name, values[to]);
    }
}

/// For more choices than fit side by side: the current one, and a list that opens under it. If the
/// parameter takes other values too, a button beside it lets the user type one.
void draw_drop_down(Ui& ui, ControlRows& rows, const Parameter& parameter) {
    AppState& state = ui.state();
    const std::vector<std::string>& values = listed_values(state.scene, parameter);
    draw_label(ui, parameter, rows.next(ui.px(kLabel)));
    plot::Rect box = rows.next(ui.px(kBox));
    rows.space(ui.px(kControlGap));
    if (state.edit.target == parameter.name && !ui.behind) {
        draw_value(ui, parameter, {box.x, box.y + ui.px(4), box.width, ui.px(kLabel)}, 0);
        return;
    }
    if (parameter.choices.empty()) {
        const double type = ui.px(56);
        box.width -= type + ui.px(4);
        if (button(ui, "type " + parameter.name,
                   {box.x + box.width + ui.px(4), box.y, type, box.height}, "Type",
                   {.raised = true, .help = "type a value that is not in the list"})) {
            state.edit = {parameter.name, parameter_text(state.scene, parameter), true};
        }
    }
    const Touch touch = ui.touch("list of " + parameter.name, box);
    const bool open =
        state.overlay == Overlay::choices && state.choices.parameter == parameter.name;
    ui.fill(box, touch.hovered || open ? plot::Role::selected : plot::Role::raised, 6);
    ui.stroke(box, open ? plot::Role::accent : plot::Role::line, ui.theme.thin_px, 6);
    const double pad = ui.px(10), chevron = ui.px(16);
    const std::string name = choice_name(parameter, parameter_text(state.scene, parameter));
    ui.text({box.x + pad, box.y, box.width - 2 * pad - chevron, box.height}, name,
            ui.caption(plot::Role::text));
    draw_chevron(ui, {box.x + box.width - pad - chevron / 4, box.y + box.height / 2},
                 plot::Role::dim);
    if (touch.hovered && !open) {
        explain_name(ui, name);
    }
    if (touch.focused) {
        focus_ring(ui, box);
        if (ui.take({GLFW_KEY_LEFT})) {
            step_choice(state, parameter, values, -1);
        }
        if (ui.take({GLFW_KEY_RIGHT})) {
            step_choice(state, parameter, values, 1);
        }
        for (const bool last : {false, true}) {
            if (ui.take({last ? GLFW_KEY_END : GLFW_KEY_HOME}) && !values.empty()) {
                set_value(state, parameter.name, last ? values.back() : values.front());
            }
        }
    }
    const bool opened_by_key =
        touch.focused && (touch.clicked || ui.take({GLFW_KEY_DOWN}) || ui.take({GLFW_KEY_UP}));
    if (opened_by_key || touch.clicked) {
        open_choices(
            state,
            {.parameter = parameter.name, .below = box, .opener = touch.focused ? touch.id : 0});
    }
}

void draw_choice(Ui& ui, ControlRows& rows, const Parameter& parameter) {
    std::vector<std::string> labels;
    double widest = 0;
    for (const std::string& choice : parameter.choices) {
        labels.push_back(choice_name(parameter, choice));
        widest = std::max(widest, ui.width(labels.back(), ui.caption(plot::Role::dim)));
    }
    const double needed = (widest + ui.px(20)) * static_cast<double>(labels.size());
    const double named = ui.width(control_label(parameter), ui.body(plot::Role::text)) + ui.px(16);
    if (labels.size() > kMostSegments) {
        return draw_drop_down(ui, rows, parameter);
    }
    // Beside its name if both fit, else below it.
    const bool beside = named + needed <= rows.width();
    plot::Rect box = rows.next(ui.px(beside ? kBox : kLabel));
    draw_label(ui, parameter, box);
    if (beside) {
        box = {box.x + box.width - needed, box.y, needed, box.height};
    } else {
        box = rows.next(ui.px(kBox));
    }
    rows.space(ui.px(kControlGap));
    const std::string now = parameter_text(ui.state().scene, parameter);
    const auto current = static_cast<std::size_t>(std::ranges::find(parameter.choices, now) -
                                                  parameter.choices.begin());
    if (const auto chosen = segments(ui, parameter.name, box, labels, current, explain_name)) {
        set_value(ui.state(), parameter.name, parameter.choices[*chosen]);
    }
}

void draw_text_value(Ui& ui, ControlRows& rows, const Parameter& parameter) {
    const plot::Rect row = rows.next(ui.px(kLabel));
    draw_label(ui, parameter, row);
    const double named = ui.width(control_label(parameter), ui.body(plot::Role::text)) + ui.px(12);
    const double needed =
        ui.width(shown_value(ui.state().scene, parameter), value_style(ui)) + ui.px(8);
    const bool beside = named + needed <= row.width;
    draw_value(ui, parameter,
               beside ? plot::Rect{row.x + named, row.y, row.width - named, row.height}
                      : rows.next(ui.px(kLabel)),
               beside ? 1 : 0);
    rows.space(ui.px(kControlGap));
}

}  // namespace

void draw_control(Ui& ui, ControlRows& rows, const Parameter& parameter) {
    if (!parameter.choices.empty()) {
        draw_choice(ui, rows, parameter);
    } else if (is_number(parameter)) {
        draw_number(ui, rows, parameter);
    } else if (!listed_values(ui.state().scene, parameter).empty()) {
        draw_drop_down(ui, rows, parameter);
    } else {
        draw_text_value(ui, rows, parameter);
    }
}

void draw_text_across(Ui& ui, plot::Rect row, const Parameter& parameter) {
    AppState& state = ui.state();
    draw_label(ui, parameter, row);
    const double named = ui.width(control_label(parameter), ui.body(plot::Role::text)) + ui.px(12);
    const plot::Rect box{row.x + named, row.y, std::max(0.0, row.width - named), row.height};
    if (state.edit.target == parameter.name && !ui.behind) {
        return draw_value(ui, parameter,
                          {box.x, box.y + ui.px(2), box.width, box.height - ui.px(4)}, 0);
    }
    const Touch touch = ui.touch("value of " + parameter.name, box);
    ui.fill(box, touch.hovered ? plot::Role::selected : plot::Role::raised, 6);
    ui.stroke(box, plot::Role::line, ui.theme.thin_px, 6);
    if (touch.focused) {
        focus_ring(ui, box);
    }
    ui.text({box.x + ui.px(10), box.y, box.width - ui.px(20), box.height},
            parameter_text(state.scene, parameter), ui.body(plot::Role::text));
    if (touch.clicked) {
        state.edit = {parameter.name, parameter_text(state.scene, parameter), true};
    }
}

void draw_transport(Ui& ui, ControlRows& rows) {
    AppState& state = ui.state();
    const plot::Rect row = rows.next(ui.px(kBox));
    rows.space(ui.px(kControlGap));
    const double step = ui.px(30), play = ui.px(84);
    const std::string& played = figures::view_by_id(state.scene.view).played;
    const std::string moved = played.empty() ? "both positions" : fmt::format("the {}", played);
    if (button(ui, "play", {row.x, row.y, play, row.height},
               state.playback.playing ? "■ Stop" : "▶ Play",
               {.selected = true,
                .text = plot::Role::text,
                .help = fmt::format("{}: Space", moved)})) {
        perform(state, Action::play, false);
    }
    const double right = row.x + row.width;
    if (button(ui, "back", {right - 2 * step - ui.px(4), row.y, step, row.height}, "◀",
               {.help = fmt::format("{}: Shift + ←", moved)})) {
        perform(state, Action::both_back, false);
    }
    if (button(ui, "forward", {right - step, row.y, step, row.height}, "▶",
               {.help = fmt::format("{}: Shift + →", moved)})) {
        perform(state, Action::both_forward, false);
    }
    // A narrow window has no room for the word "speed", and neither has what is typed.
    const Parameter& speed = parameter_by_name("speed");
    const bool typed = state.edit.target == speed.name;
    const double number = ui.width(shown_value(state.scene, speed), value_style(ui));
    const double from = row.x + play + ui.px(12), until = right - 2 * step - ui.px(12);
    const bool named =
        !typed &&
        ui.width("speed", ui.caption(plot::Role::dim)) + ui.px(6 + 8) + number < until - from;
    double value_from = from;
    if (named) {
        value_from += ui.px(6) + ui.text({from, row.y, row.width, row.height}, "speed",
                                         ui.caption(plot::Role::dim));
    }
    draw_value(ui, speed, {value_from, row.y + ui.px(4), until - value_from, row.height - ui.px(8)},
               0);
    if (!named && !typed) {
        ui.text({value_from + number + ui.px(2), row.y, ui.px(20), row.height}, "×",
                ui.caption(plot::Role::dim));
    }
}

}  // namespace ropescope::gui
