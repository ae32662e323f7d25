// Draws the status bar: engine, checks, progress of a figure, notice, and frame time.
#include <algorithm>
#include <fmt/format.h>

#include "app/gui/panels/engine_switch.h"
#include "app/gui/panels/panels.h"
#include "app/gui/state/actions.h"
#include "app/gui/state/checks_text.h"
#include "app/gui/state/scene_text.h"
#include "app/gui/toolkit/widgets.h"

namespace ropescope::gui {
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
        painter.circle(center, r, ui.theme[plot::Role::cos_part]);
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
    if (!state.notice.text.empty()) {
        entries.text(state.notice.text, plot::Role::text);
    }
    if (state.frame_ms > 0) {
        ui.text({bar.x, bar.y, bar.width - ui.px(kStatusSide), bar.height},
                fmt::format("frame {:.1f} ms", state.frame_ms),
                ui.mono(plot::Role::dim, ui.theme.small_px), 1);
    }
}

}  // namespace ropescope::gui
