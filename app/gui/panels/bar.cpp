// The bar above the figure with the switch between CPU and GPU, and the status bar below it.
#include "app/gui/panels/bar.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "app/gui/panels/panels.h"
#include "app/gui/state/actions.h"
#include "app/gui/state/checks_text.h"
#include "app/gui/state/model_menu.h"
#include "app/gui/state/scene_text.h"
#include "app/gui/toolkit/widgets.h"
#include "app/scene/values.h"

namespace ropescope::gui {

// Draws the bar: name, view, model, the engine's switch, and buttons for the figure.

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

// Draws the switch between the engines, and puts into words how they differ.

namespace {

constexpr double kSwitchPad = 9;

/// The tooltip of the GPU's half.
std::string gpu_help(const EngineState& engines) {
    switch (engines.gpu) {
        case EngineState::Gpu::unknown:
            return "compute on the GPU: G";
        case EngineState::Gpu::opening:
            return "looking for a GPU that computes";
        case EngineState::Gpu::none:
            return "no GPU to compute on: " + engines.why_not;
        case EngineState::Gpu::ready:
            break;
    }
    return fmt::format("compute on the GPU: G. {}{}", engines.gpu_device,
                       engines.comparison ? ". " + comparison_text(*engines.comparison) : "");
}

/// Three digits: "1.07 ms", "2.7 s".
std::string duration_text(double seconds) {
    constexpr double kRoundsToASecond = 0.9995;
    return seconds < kRoundsToASecond ? fmt::format("{:.3g} ms", seconds * 1e3)
                                      : fmt::format("{:.3g} s", seconds);
}

}  // namespace

std::string comparison_text(const EngineComparison& comparison) {
    return fmt::format("GPU {}, CPU {}, {}", duration_text(comparison.gpu_seconds),
                       duration_text(comparison.cpu_seconds),
                       comparison.largest
                           ? fmt::format("max |difference| {:.2g}", *comparison.largest)
                           : "not the same marks");
}

double engine_switch_width(const Ui& ui) {
    const plot::TextStyle style = ui.caption(plot::Role::dim);
    return ui.width("CPU", style) + ui.width("GPU", style) + ui.px(4 * kSwitchPad);
}

void draw_engine_switch(Ui& ui, plot::Rect where) {
    const EngineState& engines = ui.state().engines;
    const bool gpu = ui.state().engine->kind() == EngineKind::gpu;
    plot::Rect half = where;
    half.width = where.width / 2;
    const bool to_cpu =
        button(ui, "engine CPU", half, "CPU",
               {.selected = !gpu, .text = plot::Role::text, .help = "compute on the CPU: G"});
    half.x += half.width;
    const bool to_gpu = button(ui, "engine GPU", half, "GPU",
                               {.enabled = engines.gpu != EngineState::Gpu::none,
                                .selected = gpu,
                                .text = plot::Role::text,
                                .help = gpu_help(engines)});
    ui.stroke(where, plot::Role::line, ui.theme.thin_px, 6);
    if (to_cpu || to_gpu) {
        choose_engine(ui.state(), to_gpu);
    }
}

// Draws the status bar: engine, checks, progress of a figure, notice, and frame time.

namespace {

constexpr double kStatusSide = 20, kStatusGap = 28, kFrameTime = 120, kDot = 4;

/// Left to right; each entry ends where the next begins.
class Entries {
  public:
    explicit Entries(const Ui& ui) : ui_(ui), x_(ui.px(kStatusSide)) {}

    plot::Rect next(double width) {
        const plot::Rect& bar = ui_.regions.status;
        const double room = bar.width - x_ - ui_.px(kFrameTime);
        const plot::Rect entry{x_, bar.y, std::max(0.0, std::min(width, room)), bar.height};
        x_ += entry.width + ui_.px(kStatusGap);
        return entry;
    }
    plot::Rect text(const std::string& text, plot::Role role) {
        const plot::TextStyle style = ui_.small(role);
        const plot::Rect entry = next(ui_.width(text, style) + 1);
        ui_.text(entry, text, style);
        return entry;
    }

  private:
    const Ui& ui_;
    double x_;
};

/// A full dot if all checks hold, else a cross: the shape says it as well as the colour.
void draw_verdict(const Ui& ui, plot::Pixel center, bool holds) {
    const double r = ui.px(kDot);
    ImGuiPainter painter = ui.painter();
    if (holds) {
        painter.circle(center, r, ui.theme[plot::Role::right]);
        return;
    }
    const plot::Color color = ui.theme[plot::Role::wrong];
    painter.line({center.x - r, center.y - r}, {center.x + r, center.y + r}, color, ui.px(2));
    painter.line({center.x - r, center.y + r}, {center.x + r, center.y - r}, color, ui.px(2));
}

void draw_checks(Ui& ui, Entries& entries) {
    const ChecksState& checks = ui.state().checks;
    const bool over = checks.phase == ChecksState::Phase::over;
    const std::string text = checks_text(checks) +
                             (checks.fault == EngineFault::none
                                  ? ""
                                  : ", broken on purpose: " + spoken(to_string(checks.fault), ' '));
    const double mark = over ? ui.px(16) : 0;
    const plot::TextStyle style = ui.small(plot::Role::dim);
    const plot::Rect entry = entries.next(ui.width(text, style) + mark + 1);
    if (over) {
        draw_verdict(ui, {entry.x + ui.px(kDot), entry.y + entry.height / 2}, checks.run.ok());
    }
    const Touch touch = ui.touch("checks", entry);
    ui.text({entry.x + mark, entry.y, entry.width - mark, entry.height}, text,
            touch.hovered ? ui.small(plot::Role::text) : style);
    if (touch.hovered) {
        tooltip(ui, "compute every identity now, as `ropescope check` does: Ctrl + K");
    }
    if (touch.focused) {
        focus_ring(ui, {entry.x, entry.y + ui.px(6), entry.width, entry.height - ui.px(12)});
    }
    if (touch.clicked) {
        perform(ui.state(), Action::checks, false);
    }
}

/// Says how far the whole figure is; a click stops the work (as Esc does) or starts it again.
void draw_refining(Ui& ui, Entries& entries) {
    Refining& refining = ui.state().shown.refining;
    const std::string text =
        refining.stopped ? "stopped; click to go on"
        : refining.done  ? fmt::format("refining the figure: {:.0f} %", 100 * *refining.done)
                         : "refining the figure";
    const plot::Rect entry = entries.text(text, plot::Role::text);
    const Touch touch = ui.touch("refining", entry);
    if (touch.hovered) {
        tooltip(ui, refining.stopped ? "compute the whole figure" : "stop: click, or Esc");
    }
    if (touch.focused) {
        focus_ring(ui, {entry.x, entry.y + ui.px(6), entry.width, entry.height - ui.px(12)});
    }
    if (touch.clicked) {
        refining = {.done = std::nullopt, .stopped = !refining.stopped};
    }
}

/// Says how far a recording is; a click ends it.
void draw_recording(Ui& ui, Entries& entries) {
    RecordingState& recording = ui.state().recording;
    const plot::Rect entry =
        entries.text(recording.stop ? "ending the recording"
                                    : fmt::format("recording: {:.0f} %", 100 * *recording.done),
                     plot::Role::text);
    const Touch touch = ui.touch("recording", entry);
    if (touch.hovered) {
        tooltip(ui, "stop: click; nothing is written then");
    }
    if (touch.focused) {
        focus_ring(ui, {entry.x, entry.y + ui.px(6), entry.width, entry.height - ui.px(12)});
    }
    recording.stop = recording.stop || touch.clicked;
}

void draw_engine(Ui& ui, Entries& entries) {
    const AppState& state = ui.state();
    // The device is in the tooltip: a picture of the window does not depend on the machine.
    const plot::Rect engine =
        entries.text("engine " + upper_case(state.engine->name()), plot::Role::dim);
    if (ui.touch("engine", engine, PressKeys::none).hovered) {
        tooltip(ui, "computed on " + state.engine->device());
    }
    if (const auto& comparison = state.engines.comparison) {
        const plot::Rect both = entries.text(comparison_text(*comparison), plot::Role::dim);
        if (ui.touch("comparison", both, PressKeys::none).hovered) {
            tooltip(ui,
                    "how long this figure waits for each engine, the CPU's on one thread, and the "
                    "largest difference between two numbers that it shows");
        }
    }
}

}  // namespace

void draw_status_bar(Ui& ui) {
    const AppState& state = ui.state();
    const plot::Rect& bar = ui.regions.status;
    Entries entries(ui);
    draw_engine(ui, entries);
    draw_checks(ui, entries);
    if (state.shown.is_draft() && state.shown.error.empty()) {
        draw_refining(ui, entries);
    }
    if (state.recording.done) {
        draw_recording(ui, entries);
    }
    if (!state.notice.text.empty()) {
        entries.text(state.notice.text, plot::Role::text);
    } else if (state.panels_left_out > 0 && !state.lessons.open()) {
        entries.text(fmt::format("a larger window shows {} more panel{}", state.panels_left_out,
                                 state.panels_left_out == 1 ? "" : "s"),
                     plot::Role::dim);
    }
    if (state.frame_ms > 0) {
        ui.text({bar.x, bar.y, bar.width - ui.px(kStatusSide), bar.height},
                fmt::format("frame {:.1f} ms", state.frame_ms),
                ui.mono(plot::Role::dim, ui.theme.small_px), 1);
    }
}

}  // namespace ropescope::gui
