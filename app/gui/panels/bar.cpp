// Draws the bar: name, view, model, the engine's switch, and buttons for the figure.
#include <algorithm>
#include <array>

#include "app/gui/panels/engine_switch.h"
#include "app/gui/panels/panels.h"
#include "app/gui/state/actions.h"
#include "app/gui/state/choice_names.h"
#include "app/gui/state/scene_text.h"
#include "app/gui/toolkit/widgets.h"

namespace ropescope::gui {
namespace {

constexpr double kBarMargin = 20, kButtonGap = 4, kButtonPad = 10, kButtonHeight = 30;
constexpr double kModelWidth = 430, kComfortableModelWidth = 230, kViewGap = 14;

struct BarButton {
    std::string_view label, brief;
    std::string_view help;
    Action action;
};
constexpr auto kButtons = std::to_array<BarButton>({
    {"Undo", "Undo", "undo: Ctrl + Z", Action::undo},
    {"Redo", "Redo", "redo: Ctrl + Y", Action::redo},
    {"Copy command", "Copy", "put the command that makes this figure on the clipboard: Ctrl + C",
     Action::copy_command},
    {"Export", "Export", "write this figure to a file: Ctrl + E", Action::export_figure},
    {"Lessons", "Lessons", "learn step by step: L", Action::lessons},
    {"Theme", "Theme", "dark, light, projector: T", Action::theme},
    {"Menu", "Menu", "open, save, reset, present: F10", Action::menu},
    {"?", "?", "keys and hints: F1", Action::help},
});

bool available(const AppState& state, Action action) {
    switch (action) {
        case Action::undo:
            return state.history.undo_steps() > 0;
        case Action::redo:
            return state.history.redo_steps() > 0;
        case Action::copy_command:
        case Action::export_figure:
            return state.shown.picture.has_value();
        default:
            return true;
    }
}

plot::TextStyle name_style(const Ui& ui) {
    return ui.style(plot::Role::text, ui.theme.title_px, plot::Face::bold);
}

double button_width(const Ui& ui, std::string_view label) {
    return ui.width(label, ui.caption(plot::Role::dim)) + ui.px(2 * kButtonPad);
}

/// What the bar shows; in a narrow window it shows less.
struct BarPlan {
    bool brief = false, view_name = true, all_buttons = true, lessons = true;
    double buttons_from = 0, left_until = 0;

    double room() const { return buttons_from - left_until; }
};

/// Whether a button fits. Without it, its key still works.
bool shown(const BarPlan& plan, const BarButton& entry) {
    return plan.all_buttons || entry.action == Action::copy_command ||
           entry.action == Action::export_figure || entry.action == Action::menu ||
           entry.action == Action::help || (plan.lessons && entry.action == Action::lessons);
}

BarPlan measured(const Ui& ui, BarPlan plan) {
    plan.left_until = ui.px(2 * kBarMargin) + ui.width("ropescope", name_style(ui));
    if (plan.view_name) {
        plan.left_until +=
            ui.px(kViewGap) +
            ui.width(figures::view_by_id(ui.state().scene.view).name, ui.body(plot::Role::dim));
    }
    plan.buttons_from = ui.regions.bar.width - ui.px(kBarMargin - kButtonPad);
    if (plan.all_buttons) {
        plan.buttons_from -= engine_switch_width(ui) + ui.px(kButtonPad);
    }
    for (const BarButton& entry : kButtons) {
        if (shown(plan, entry)) {
            plan.buttons_from -=
                button_width(ui, plan.brief ? entry.brief : entry.label) + ui.px(kButtonGap);
        }
    }
    return plan;
}

BarPlan plan_bar(const Ui& ui) {
    const BarPlan few{.brief = true, .view_name = false, .all_buttons = false};
    const BarPlan least{.brief = true, .view_name = false, .all_buttons = false, .lessons = false};
    for (const BarPlan& plan :
         {BarPlan{}, BarPlan{.brief = true}, BarPlan{.brief = true, .view_name = false}, few}) {
        const BarPlan fitting = measured(ui, plan);
        if (fitting.room() >= ui.px(kComfortableModelWidth)) {
            return fitting;
        }
    }
    return measured(ui, least);
}

plot::Rect model_button(const Ui& ui, const BarPlan& plan) {
    const plot::Rect& bar = ui.regions.bar;
    const double room = std::max(ui.px(60), plan.room() - ui.px(kBarMargin));
    const double width = std::min(ui.px(kModelWidth), room);
    // Over the middle of the figure if that place is free.
    const double middle = ui.regions.figure.x + ui.regions.figure.width / 2 - width / 2;
    const double x = std::clamp(middle, plan.left_until, plan.left_until + room - width);
    return {x, bar.y + (bar.height - ui.px(kButtonHeight)) / 2, width, ui.px(kButtonHeight)};
}

void draw_model_button(Ui& ui, plot::Rect where) {
    const Scene& scene = ui.state().scene;
    const Touch touch = ui.touch("model", where);
    ui.fill(where, touch.hovered ? plot::Role::selected : plot::Role::raised, 6);
    ui.stroke(where, plot::Role::line, ui.theme.thin_px, 6);
    const double pad = ui.px(14), chevron = ui.px(16);
    const double width = where.width - 2 * pad - chevron;
    const std::string title = shown_title(scene);
    const double used =
        ui.text({where.x + pad, where.y, width, where.height}, title, ui.body(plot::Role::text));
    const double rest = width - used - ui.px(16);
    if (rest > ui.px(90)) {
        ui.text({where.x + pad + used + ui.px(16), where.y, rest, where.height}, shown_facts(scene),
                ui.caption(plot::Role::dim));
    }
    draw_chevron(ui, {where.x + where.width - pad - chevron / 4, where.y + where.height / 2},
                 plot::Role::dim);
    if (touch.focused) {
        focus_ring(ui, where);
    }
    if (touch.hovered) {
        const std::string changed = changes_text(scene);
        tooltip(ui, changed.empty() ? "open a model, a file or a scene: Ctrl + O"
                                    : "changed: " + changed);
    }
    if (touch.clicked) {
        open_overlay(ui.state(), Overlay::models);
    }
}

}  // namespace

plot::Rect model_button(const Ui& ui) {
    return model_button(ui, plan_bar(ui));
}

void draw_bar(Ui& ui) {
    const plot::Rect& bar = ui.regions.bar;
    const BarPlan plan = plan_bar(ui);
    double x = ui.px(kBarMargin);
    x += ui.text({x, bar.y, bar.width, bar.height}, "ropescope", name_style(ui));
    if (plan.view_name) {
        ui.text({x + ui.px(kViewGap), bar.y, bar.width, bar.height},
                figures::view_by_id(ui.state().scene.view).name, ui.body(plot::Role::dim));
    }
    draw_model_button(ui, model_button(ui, plan));

    x = plan.buttons_from;
    const double y = bar.y + (bar.height - ui.px(kButtonHeight)) / 2;
    if (plan.all_buttons) {
        const double width = engine_switch_width(ui);
        draw_engine_switch(ui, {x, y + ui.px(2), width, ui.px(kButtonHeight - 4)});
        x += width + ui.px(kButtonPad);
    }
    for (const BarButton& entry : kButtons) {
        if (!shown(plan, entry)) {
            continue;
        }
        const std::string_view label = plan.brief ? entry.brief : entry.label;
        const plot::Rect where{x, y, button_width(ui, label), ui.px(kButtonHeight)};
        const ButtonLook look{.enabled = available(ui.state(), entry.action),
                              .text = plot::Role::text,
                              .help = entry.help};
        if (button(ui, entry.label, where, label, look)) {
            if (entry.action == Action::menu) {
                open_menu(ui.state(), {.below = where});
            } else {
                perform(ui.state(), entry.action, false);
            }
        }
        x += where.width + ui.px(kButtonGap);
    }
}

}  // namespace ropescope::gui
