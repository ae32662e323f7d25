// Draws the switch between the engines, and puts into words how they differ.
#include "app/gui/panels/engine_switch.h"

#include <fmt/format.h>

#include "app/gui/state/actions.h"
#include "app/gui/toolkit/widgets.h"

namespace ropescope::gui {
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

}  // namespace ropescope::gui
