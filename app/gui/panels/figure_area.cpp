// Draws the figure or why it cannot be drawn, and handles the mouse over it.
#include <algorithm>
#include <imgui.h>

#include "app/gui/panels/figure_input.h"
#include "app/gui/panels/panels.h"
#include "app/gui/state/actions.h"
#include "app/gui/state/hall.h"
#include "app/gui/toolkit/widgets.h"
#include "app/lessons/main_panels.h"
#include "app/plot/draw_figure.h"

namespace ropescope::gui {
namespace {

constexpr double kMessage = 40;
constexpr double kMostMessage = 3;  ///< lines of a message; the mouse over it shows all of it
constexpr double kPresented = 1.4;  ///< times the type of a page; not beside a lesson

double figure_scale(const AppState& state) {
    const bool alone = state.presenting && !in_hall(state) && !state.lesson_outside;
    return state.scale * (alone && !state.lessons.open() ? kPresented : 1);
}

plot::Theme figure_theme(const AppState& state) {
    plot::Theme theme = state.theme;
    theme.least_px = state.least_letters / figure_scale(state);
    return theme;
}

/// Draws an error along the lower edge, in as many lines as it needs and may have; returns their
/// height.
double draw_message(Ui& ui, plot::Rect area) {
    AppState& state = ui.state();
    const bool closable = !state.error.empty();
    const std::string& message = closable ? state.error : state.shown.error;
    // An overlay shows the errors of its own actions.
    if (message.empty() || state.words_outside || (closable && ui.behind)) {
        return 0;
    }
    const double close = closable ? ui.px(72) : 0;
    const plot::TextStyle style = ui.caption(plot::Role::text);
    const double width = area.width - ui.px(60) - close;
    const double line = ui.paragraph_height(width, "!", style);
    const double lines = std::min(kMostMessage, ui.paragraph_height(width, message, style) / line);
    const double height = ui.px(kMessage) + (lines - 1) * line;
    const plot::Rect box{area.x + ui.px(8), area.y + area.height - height, area.width - ui.px(16),
                         height - ui.px(8)};
    ui.fill(box, plot::Role::raised, 6);
    ui.fill({box.x, box.y, ui.px(4), box.height}, plot::Role::wrong, 2);
    ui.text({box.x + ui.px(12), box.y, ui.px(16), box.height}, "!",
            ui.style(plot::Role::wrong, ui.theme.body_px, plot::Face::bold), 0.5);
    const plot::Rect words{box.x + ui.px(36), box.y, width, box.height};
    if (lines > 1) {
        const double above = (box.height - lines * line) / 2;
        ui.paragraph({words.x, words.y + above, words.width, lines * line}, message, style);
    } else {
        ui.text(words, message, style);
    }
    if (ui.touch("message", words, PressKeys::none).hovered) {
        tooltip(ui, message);
    }
    if (closable &&
        button(ui, "close message", {box.x + box.width - close, box.y, close, ui.px(kMessage - 8)},
               "Close")) {
        state.error.clear();
    }
    return height;
}

/// Notes the panel in which the button goes down.
void note_press(AppState& state, const Touch& touch, const plot::PlacedPanel* under) {
    if (touch.held && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        state.pressed_panel = under == nullptr ? "" : under->panel->id;
    }
}

/// While a button is held down that was pressed in a panel that can be dragged, the panel gets the
/// place of the mouse, outside too. Returns whether it does.
bool drag_panel(Ui& ui, const Touch& touch, const std::vector<plot::PlacedPanel>& panels,
                plot::Pixel mouse) {
    AppState& state = ui.state();
    const bool ended = touch.clicked || touch.released || !touch.held;
    std::string dragged = state.dragged_panel;
    if (touch.held && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        const plot::PlacedPanel* under = plot::panel_at(panels, mouse);
        if (under != nullptr && state.shown.picture->is_dragged(under->panel->id)) {
            dragged = under->panel->id;
        }
    }
    const auto found = std::ranges::find_if(panels, [&](const plot::PlacedPanel& placed) {
        return !dragged.empty() && placed.panel->id == dragged;
    });
    const bool drags = found != panels.end() && state.shown.error.empty();
    if (drags) {
        drag(state, dragged, found->to_data(mouse));
    }
    if (ended) {
        end_drag(state);
    }
    return drags;
}

/// While both positions play, the figure between two steps as it is looked at; empty else.
plot::Figure figure_between(AppState& state, const figures::Picture& picture) {
    const double fraction = state.playback.between_steps(state.scene);
    return fraction > 0 && picture.between && state.shown.error.empty()
               ? plot::as_seen(picture.between(fraction), state.looks.of(picture.figure))
               : plot::Figure{};
}

plot::Dress dress_of(const AppState& state) {
    return {.title = !state.words_outside};
}

/// The figure with those of its panels that a projector, a lesson above its text, a small window or
/// a frame in another page has room for; empty where all are drawn.
std::optional<plot::Figure> some_panels(Ui& ui, const plot::Figure& whole, plot::Rect area,
                                        plot::Painter& painter) {
    AppState& state = ui.state();
    const lessons::Step* const step = state.lessons.open() ? &state.lessons.current() : nullptr;
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    if (shows_main_panels(state, {window.x, window.y})) {
        return lessons::main_figure(whole, step);
    }
    const bool is_usual = step == nullptr && !state.words_outside && !state.in_other_page;
    const double scale = figure_scale(state);
    const plot::Theme theme = figure_theme(state);
    const AppState::PanelFit now{state.shown.count, area.width, area.height, scale,
                                 std::string(ui.theme.name)};
    if (is_usual && state.all_panels_fit == now) {
        return std::nullopt;
    }
    plot::Figure some = lessons::fitting_figure(whole, step,
                                                {.area = area,
                                                 .theme = theme,
                                                 .scale = scale,
                                                 .metrics = painter,
                                                 .dress = dress_of(state),
                                                 .all_panels = !state.words_outside,
                                                 .whole_texts = !is_usual});
    if (is_usual && some.panels.size() == whole.panels.size()) {
        state.all_panels_fit = now;
        return std::nullopt;
    }
    return some;
}

/// A place in the figure to which something else than the mouse points, and the values there.
std::optional<Hover> draw_cursor(Ui& ui, const std::vector<plot::PlacedPanel>& panels,
                                 plot::Pixel at) {
    const plot::PlacedPanel* panel = plot::panel_at(panels, at);
    if (panel == nullptr) {
        return std::nullopt;
    }
    ImGuiPainter painter = ui.painter();
    const double side = ui.px(12);
    painter.stroke_rect({at.x - side / 2, at.y - side / 2, side, side},
                        ui.theme[plot::Role::accent], ui.theme.selected_px, side / 2);
    draw_values_at(ui, *panel, at);
    if (ui.state().shown.current() != nullptr) {
        ui.state().figure_cursor.values =
            ui.state().shown.picture->readouts_at(panel->panel->id, panel->to_data(at));
    }
    return Hover{panel->panel->id, panel->to_data(at)};
}

/// The middle of the panel at which a step's task is to point, if somebody asked the lesson to.
std::optional<Hover> draw_pointing(Ui& ui, const std::vector<plot::PlacedPanel>& panels) {
    const LessonRun& run = ui.state().lessons;
    const auto meant = std::ranges::find_if(panels, [&](const plot::PlacedPanel& placed) {
        return run.open() && run.pointing && placed.panel->id == run.current().task->point_at;
    });
    if (meant == panels.end()) {
        return std::nullopt;
    }
    const plot::Rect plot = meant->plot;
    return draw_cursor(ui, panels, {plot.x + plot.width / 2, plot.y + plot.height / 2});
}

}  // namespace

std::optional<Hover> draw_figure_area(Ui& ui) {
    plot::Rect area = ui.regions.figure;
    const double above = draw_text_strip(ui);
    area.y += above;
    area.height -= above;
    area.height -= draw_message(ui, area);
    const std::optional<figures::Picture>& picture = ui.state().shown.picture;
    if (!picture || area.width < 1 || area.height < 1) {
        return std::nullopt;
    }
    AppState& state = ui.state();
    const plot::Figure between = figure_between(state, *picture);
    const plot::Figure& whole =
        between.panels.empty() ? state.looks.seen(picture->figure, state.shown.count) : between;
    ImGuiPainter painter = ui.painter();
    const std::optional<plot::Figure> some = some_panels(ui, whole, area, painter);
    const plot::Figure& figure = some ? *some : whole;
    state.panels_left_out = whole.panels.size() - figure.panels.size();
    painter.push_clip(area);
    const plot::DrawnFigure drawn = plot::draw_figure(
        figure, area, figure_theme(state), figure_scale(state), painter, dress_of(state));
    painter.pop_clip();
    const std::vector<plot::PlacedPanel>& panels = drawn.panels;
    const std::size_t first = state.focus.drawn();
    draw_name_areas(ui, drawn.names);
    draw_fit_buttons(ui, panels);

    // What lies in the figure gets the mouse before it, and the keyboard behind it.
    const Touch touch = ui.touch("figure", area, PressKeys::enter);
    if (!ui.behind) {
        state.focus.put_last_at(first);
    }
    const ImVec2 mouse = ImGui::GetMousePos();
    const plot::PlacedPanel* under = plot::panel_at(panels, {mouse.x, mouse.y});
    note_press(ui.state(), touch, under);
    const bool dragged = drag_panel(ui, touch, panels, {mouse.x, mouse.y});
    const bool looked = look_around(ui, touch, panels, {mouse.x, mouse.y});
    state.figure_cursor.values.clear();
    if (const auto cursor = follow_figure_keys(ui, touch, panels)) {
        return draw_cursor(ui, panels, *cursor);
    }
    if (!touch.hovered || under == nullptr) {
        return draw_pointing(ui, panels);
    }
    Hover hover{under->panel->id, under->to_data({mouse.x, mouse.y})};
    // The picture may still be of an earlier scene when this one cannot be drawn.
    const bool clicked = touch.clicked && !touch.focused && hover.panel == ui.state().pressed_panel;
    if (clicked && !dragged && !looked && state.shown.error.empty()) {
        const std::int64_t steps = state.history.undo_steps();
        click(state, hover.panel, hover.at);
        state.pan.click_made_step = state.history.undo_steps() > steps;
    }
    if (!state.pan.moved && state.dragged_panel.empty() && state.mouse_moved) {
        draw_values_at(ui, *under, {mouse.x, mouse.y});
    }
    return hover;
}

}  // namespace ropescope::gui
