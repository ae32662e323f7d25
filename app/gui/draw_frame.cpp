// Draws all parts of the window, and handles the keys that no control has used.
#include "app/gui/draw_frame.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <imgui.h>
#include <optional>
#include <utility>

#include "app/gui/panels/lessons.h"
#include "app/gui/panels/panels.h"
#include "app/gui/state/actions.h"
#include "app/gui/state/hall.h"
#include "app/gui/toolkit/ui.h"

namespace ropescope::gui {
namespace {

void draw_backgrounds(const Ui& ui) {
    const Regions& r = ui.regions;
    const ImVec2 all = ImGui::GetIO().DisplaySize;
    ui.fill({0, 0, all.x, all.y}, plot::Role::background);
    if (ui.state().presenting) {
        for (const plot::Rect& panel : {r.explanation, r.controls}) {
            ui.fill(panel, plot::Role::panel);
            ui.rule({panel.x, panel.y}, panel.width, false);
        }
        if (r.explanation.x > 0) {
            ui.rule({r.explanation.x, r.explanation.y}, r.explanation.height, true);
        }
        return;
    }
    for (const plot::Rect& panel : {r.bar, r.navigation, r.controls, r.explanation, r.status}) {
        ui.fill(panel, plot::Role::panel);
    }
    ui.rule({r.bar.x, r.bar.y + r.bar.height}, r.bar.width, false);
    ui.rule({r.navigation.width, r.navigation.y}, r.navigation.height, true);
    if (r.lesson_beside) {
        ui.rule({r.controls.x, r.controls.y}, r.controls.width, false);
        ui.rule({r.explanation.x, r.explanation.y}, r.explanation.height, true);
    } else {
        ui.rule({r.controls.x, r.controls.y}, r.controls.height, true);
        ui.rule({r.explanation.x, r.explanation.y}, r.explanation.width, false);
    }
    ui.rule({r.status.x, r.status.y}, r.status.width, false);
}

/// Actions that change the scene do not work while an overlay is open.
bool works_in_overlay(Action action) {
    switch (action) {
        case Action::help:
        case Action::lessons:
        case Action::export_figure:
        case Action::find:
        case Action::model_menu:
        case Action::theme:
        case Action::save_scene:
        case Action::menu:
        case Action::full_screen:
        case Action::presenting:
        case Action::larger_type:
        case Action::smaller_type:
        case Action::usual_type:
        case Action::quit:
            return true;
        default:
            return false;
    }
}

void perform_shortcut(AppState& state, const KeyPress& press) {
    for (const Shortcut& shortcut : shortcuts()) {
        const KeyPress& p = shortcut.press;
        if (p.key == press.key && p.control == press.control && p.shift == press.shift &&
            (state.overlay == Overlay::none || works_in_overlay(shortcut.action))) {
            return perform(state, shortcut.action, press.repeat);
        }
    }
}

/// Handles the keys that no control has used.
void handle_keys(AppState& state) {
    const bool typing = !state.edit.target.empty();
    for (const KeyPress& press : std::exchange(state.keys, {})) {
        if (press.key == GLFW_KEY_TAB) {
            ImGui::SetWindowFocus(nullptr);  // a field being typed in is left
            state.focus.move(press.shift ? -1 : 1);
        } else if (press.key == GLFW_KEY_ESCAPE) {
            state.shown.refining.stopped =
                state.shown.is_draft() && !typing && state.overlay == Overlay::none;
            const bool closes = typing || state.overlay != Overlay::none || !state.error.empty();
            if (!closes && !state.presenting && !state.shown.is_draft()) {
                leave_lesson(state);
            }
            state.presenting = state.presenting && closes;
            state.focus.clear();
            state.error.clear();
            close_overlay(state);
        } else if (typing) {
            continue;
        } else if (const figures::View* const view = view_of_key(press); view != nullptr) {
            close_overlay(state);
            show_view(state, view->id);
        } else if (state.overlay != Overlay::none ||
                   !follow_key(state, link_key(press), press.repeat)) {
            perform_shortcut(state, press);
        }
    }
}

}  // namespace

void want_fonts(const AppState& state, Toolkit& toolkit) {
    using plot::Face;
    const plot::Theme& t = state.theme;
    const auto sizes = std::to_array<std::pair<Face, double>>({
        {Face::regular, t.body_px},
        {Face::regular, t.caption_px},
        {Face::regular, t.small_px},
        {Face::bold, t.title_px},
        {Face::bold, t.body_px},
        {Face::mono, t.body_px},
        {Face::mono, t.caption_px},
        {Face::mono, t.small_px},
    });
    for (const auto& [face, size] : sizes) {
        toolkit.fonts().get(face, size * state.scale);
    }
}

namespace {

/// The first lesson is offered in the place of the explanation.
bool is_offered(const AppState& state) {
    return state.lessons.offered && !state.lessons.open();
}

/// The parts of the window; F6 goes from one to the next.
void draw_parts(Ui& ui) {
    AppState& state = ui.state();
    FocusRing& focus = state.focus;
    const auto begin = [&] { focus.begin_region(); };
    const auto follow = [&](const std::optional<Hover>& hover) {
        watch_task(state, hover ? hover->panel : "");
    };
    const bool lesson = state.lessons.open();
    if (lesson && !state.lesson_outside) {
        begin();  // the first one: one key leads to it
        draw_lesson_panel(ui);
    }
    if (state.presenting) {
        begin();
        follow(draw_figure_area(ui));
        if (in_hall(state)) {
            begin();
            draw_hall_strip(ui);
        }
        return;
    }
    begin();
    draw_bar(ui);
    begin();
    draw_navigation(ui);
    begin();
    const std::optional<Hover> hover = draw_figure_area(ui);
    follow(hover);
    begin();
    ui.regions.lesson_beside ? draw_hall_strip(ui) : draw_controls(ui, hover);
    begin();
    if (is_offered(state)) {
        draw_lesson_offer(ui);
    } else if (!lesson) {
        draw_explanation(ui);
    }
    focus.begin_region();
    draw_status_bar(ui);
}

}  // namespace

namespace {

constexpr double kStrip = 64;  ///< units: a name and a slider below it

/// In the large type of the projector theme the explanation would take the room of the figure.
RegionOptions::Explanation chosen_explanation(const AppState& state) {
    using Explanation = RegionOptions::Explanation;
    return state.explanation == Explanation::automatic &&
                   state.theme.name == plot::projector_theme().name
               ? Explanation::folded
               : state.explanation;
}

}  // namespace

void draw_frame(AppState& state, Toolkit& toolkit, double seconds) {
    advance(state, seconds);
    if (const std::string& failure = toolkit.live().failure(); !failure.empty()) {
        give_up_live_drawing(state, failure);
    }
    update_figure(state);
    const ImVec2 size = ImGui::GetIO().DisplaySize, by = ImGui::GetIO().MouseDelta;
    state.mouse_moved |= by.x != 0 || by.y != 0;
    if (has_hall_type(state)) {  // the host sets the scale before each frame
        state.scale =
            std::max(state.scale, state.type_size * hall_scale(size.x, size.y, state.theme));
    }
    // A window with little room is arranged for a hall, too.
    const bool hall = shows_main_panels(state, {size.x, size.y});
    RegionOptions options{.unit = design_unit(state),
                          .explanation = chosen_explanation(state),
                          .presenting = state.presenting,
                          .strip_px = hall && !hall_controls(state).empty()
                                          ? std::round(kStrip * design_unit(state))
                                          : 0,
                          .hall = hall,
                          .lesson = state.lessons.open() && !state.lesson_outside,
                          .offer = is_offered(state)};
    const Ui measuring(state, toolkit, regions(size.x, size.y, options));
    std::optional<Ui> ui;
    {
        const Surface window(measuring, "window", {0, 0, size.x, size.y}, Surface::Kind::window);
        // The explanation is as high as its words, whose lines depend on its width.
        options.words_px = explanation_height(measuring);
        ui.emplace(state, toolkit, regions(size.x, size.y, options));
        if (!state.presenting && !state.lessons.open()) {
            state.explanation_shown = ui->regions.explanation_open;
            state.explanation_whole = options.words_px <= ui->regions.explanation.height;
        }
        ui->behind = state.overlay != Overlay::none;
        draw_backgrounds(*ui);
        draw_parts(*ui);
        window.content_height(1);
    }
    ui->behind = false;
    draw_overlay(*ui);
    handle_keys(state);
    state.focus.end_frame();
}

}  // namespace ropescope::gui
