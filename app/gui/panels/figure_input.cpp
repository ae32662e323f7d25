// What the mouse and the keys do to how the figure is looked at, and what it shows beside itself.
#include "app/gui/panels/figure_input.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>
#include <span>

#include "app/gui/state/actions.h"
#include "app/gui/toolkit/widgets.h"
#include "app/scene/glossary.h"

namespace ropescope::gui {

// Zooms, pulls and fits panels, hides lines, and draws the values at the mouse.

namespace {

constexpr double kWheelStep = 0.85;  ///< of the range that is shown, for one turn of the wheel
constexpr double kClickMoves = 4;    ///< units that the mouse may move during a click
constexpr std::size_t kMostValues = 12;
/// In place of a panel: what is held down has fitted one, and pulls nothing.
constexpr const char* kFitted = "(fitted)";

const plot::Figure& own_figure(const AppState& state) {
    return state.shown.picture->figure;
}

bool sets_a_value_by_dragging(const AppState& state, const std::string& panel) {
    return state.shown.picture->is_dragged(panel);
}

void show_range(AppState& state, const plot::PlacedPanel& panel,
                const std::optional<plot::PanelRange>& range) {
    if (range) {
        state.looks.set_range(own_figure(state), panel.panel->id, *range);
    }
}

/// Below the plot the wheel zooms along x, at its left along y.
plot::Along along_of(const plot::PlacedPanel& panel, plot::Pixel mouse) {
    const plot::Rect& plot = panel.plot;
    return mouse.y > plot.y + plot.height ? plot::Along::x
           : mouse.x < plot.x             ? plot::Along::y
                                          : plot::Along::both;
}

void zoom(AppState& state, const plot::PlacedPanel& panel, plot::Pixel mouse, double turns) {
    show_range(state, panel,
               plot::zoomed(panel, mouse, std::pow(kWheelStep, turns), along_of(panel, mouse)));
}

void begin_pan(const Ui& ui, AppState& state, const Touch& touch, const plot::PlacedPanel* under,
               plot::Pixel mouse) {
    const bool left = touch.held && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    const bool right = touch.hovered && !ui.behind && ImGui::IsMouseClicked(ImGuiMouseButton_Right);
    if (!left && !right) {
        return;
    }
    const bool pulls = under != nullptr && plot::can_zoom(*under->panel) &&
                       (right || !sets_a_value_by_dragging(state, under->panel->id));
    state.pan = {.panel = pulls ? under->panel->id : "",
                 .right = !left,
                 .from = mouse,
                 .last = mouse,
                 .click_made_step = state.pan.click_made_step};
}

void pull(const Ui& ui, AppState& state, const std::vector<plot::PlacedPanel>& panels,
          plot::Pixel mouse) {
    Pan& pan = state.pan;
    const auto found = std::ranges::find_if(
        panels, [&](const plot::PlacedPanel& placed) { return placed.panel->id == pan.panel; });
    if (found == panels.end()) {
        return;
    }
    pan.moved =
        pan.moved || std::hypot(mouse.x - pan.from.x, mouse.y - pan.from.y) > ui.px(kClickMoves);
    if (pan.moved) {
        show_range(state, *found,
                   plot::panned(*found, {mouse.x - pan.last.x, mouse.y - pan.last.y}));
        pan.last = mouse;
    }
}

bool fit(AppState& state, const plot::PlacedPanel* under) {
    if (under == nullptr || !ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) ||
        !state.looks.fit(own_figure(state), under->panel->id)) {
        return false;
    }
    // The first of the two clicks was not meant as one.
    if (std::exchange(state.pan.click_made_step, false)) {
        undo(state);
    }
    state.pan = {.panel = kFitted, .moved = true};  // the second click is none either
    return true;
}

void draw_hairlines(const Ui& ui, const plot::Rect& plot, plot::Pixel mouse) {
    ImGuiPainter painter = ui.painter();
    const plot::Color line = ui.theme[plot::Role::dim];
    const double thin = std::max(1.0, std::round(ui.theme.thin_px * ui.state().scale));
    const double x = std::floor(mouse.x), y = std::floor(mouse.y);
    painter.fill_rect({x, plot.y, thin, plot.height}, {line.r, line.g, line.b, 120}, 0);
    painter.fill_rect({plot.x, y, plot.width, thin}, {line.r, line.g, line.b, 120}, 0);
}

void draw_value_box(const Ui& ui, std::span<const plot::Readout> values, plot::Pixel mouse) {
    const plot::TextStyle name = ui.small(plot::Role::dim);
    const plot::TextStyle mono = ui.mono(plot::Role::text, ui.theme.small_px);
    double names = 0, numbers = 0;
    for (const plot::Readout& value : values) {
        names = std::max(names, ui.width(value.name, name));
        numbers = std::max(numbers, ui.width(value.value, mono));
    }
    const double pad = ui.px(8), row = ui.px(18), gap = ui.px(14), away = ui.px(16);
    const plot::Rect& area = ui.regions.figure;
    const double width = std::min(names + gap + numbers + 2 * pad, area.width);
    const double height = row * static_cast<double>(values.size()) + pad;
    // At the right of the mouse and below it, or on the other side where there is no room.
    const double left =
        mouse.x + away + width <= area.x + area.width ? mouse.x + away : mouse.x - away - width;
    const double top =
        mouse.y + away + height <= area.y + area.height ? mouse.y + away : mouse.y - away - height;
    const plot::Rect box{std::max(area.x, left), std::max(area.y, top), width, height};
    ImGuiPainter painter = ui.painter();
    const double thin = std::max(1.0, std::round(ui.theme.thin_px * ui.state().scale));
    const plot::Color ground = ui.theme[plot::Role::raised];
    painter.fill_rect(box, {ground.r, ground.g, ground.b, 235}, ui.px(6));
    painter.stroke_rect(box, ui.theme[plot::Role::line], thin, ui.px(6));
    plot::Rect at{box.x + pad, box.y + pad / 2, box.width - 2 * pad, row};
    for (const plot::Readout& value : values) {
        const double used = ui.text(at, value.value, mono, 1);
        ui.text({at.x, at.y, at.width - used - gap / 2, at.height}, value.name, name);
        at.y += row;
    }
}

}  // namespace

void draw_name_areas(Ui& ui, const std::vector<plot::NamePlace>& names) {
    AppState& state = ui.state();
    for (const plot::NamePlace& name : names) {
        if (!plot::can_hide(own_figure(state), name.name)) {
            continue;
        }
        const Touch touch = ui.touch("line " + name.name, name.place);
        if (touch.hovered) {
            const bool hidden = state.looks.of(own_figure(state)).hidden.contains(name.name);
            const std::string help = glossary_help(name.name);
            tooltip(ui, (help.empty() ? "" : help + " ") +
                            (hidden ? "It is hidden; a click shows it." : "A click hides it."));
        }
        if (touch.focused) {
            focus_ring(ui, name.place);
        }
        if (touch.clicked) {
            state.looks.toggle(own_figure(state), name.name);
        }
    }
}

void draw_fit_buttons(Ui& ui, const std::vector<plot::PlacedPanel>& panels) {
    AppState& state = ui.state();
    for (const plot::PlacedPanel& placed : panels) {
        if (!state.looks.is_zoomed(own_figure(state), placed.panel->id)) {
            continue;
        }
        const double width = ui.px(44), height = ui.px(24);
        const plot::Rect where{placed.plot.x + placed.plot.width - width - ui.px(6),
                               placed.plot.y + ui.px(6), width, height};
        if (button(ui, "fit " + placed.panel->id, where, "Fit",
                   {.raised = true,
                    .text = plot::Role::text,
                    .help = "show the whole panel again: double click in it"})) {
            state.looks.fit(own_figure(state), placed.panel->id);
        }
    }
}

bool look_around(Ui& ui, const Touch& touch, const std::vector<plot::PlacedPanel>& panels,
                 plot::Pixel mouse) {
    AppState& state = ui.state();
    const plot::PlacedPanel* under = plot::panel_at(panels, mouse);
    const bool moved_before = state.pan.moved;
    if (touch.hovered && fit(state, under)) {
        return true;
    }
    begin_pan(ui, state, touch, under, mouse);
    const bool held = state.pan.right ? ImGui::IsMouseDown(ImGuiMouseButton_Right) : touch.held;
    if (held && !state.pan.panel.empty()) {
        pull(ui, state, panels, mouse);
    }
    const float wheel = ImGui::GetIO().MouseWheel;
    if (wheel != 0 && touch.hovered) {
        using Key = plot::Link::Key;
        const bool followed = follow_key(state, wheel > 0 ? Key::wheel_up : Key::wheel_down, true);
        if (!followed && under != nullptr && plot::can_zoom(*under->panel)) {
            zoom(state, *under, mouse, wheel);
        }
    }
    const bool used = !state.pan.panel.empty() && (state.pan.moved || moved_before);
    if (!held) {
        state.pan = {.click_made_step = state.pan.click_made_step};
    }
    return used;
}

void draw_values_at(const Ui& ui, const plot::PlacedPanel& panel, plot::Pixel at) {
    const AppState& state = ui.state();
    if (ui.behind || state.shown.current() == nullptr) {
        return;
    }
    if (plot::can_zoom(*panel.panel) && panel.plot.contains(at)) {
        draw_hairlines(ui, panel.plot, at);
    }
    std::vector<plot::Readout> values =
        state.shown.picture->readouts_at(panel.panel->id, panel.to_data(at));
    if (values.empty() || list_shows(ui, std::ssize(values))) {
        return;
    }
    if (values.size() > kMostValues) {
        values.resize(kMostValues);
    }
    draw_value_box(ui, values, at);
}

// Moves the cursor from panel to panel and inside a panel.

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
