// The figures of docs/embedded.html at the widths of pages: a frame has 500 pixels of height, of
// which the slider below the figure takes 90.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>

#include "app/figures/view.h"
#include "app/lessons/main_panels.h"
#include "app/plot/draw_figure.h"
#include "core/engine/engine.h"
#include "tests/support/recording_painter.h"

namespace ropescope {
namespace {

constexpr double kHeight = 410;

TEST(EmbeddedFrames, KeepTheNamesOfPanelsAndTheNumbersOfAxes) {
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    for (const char* view : {"rotation", "decay"}) {
        Scene scene;
        scene.view = view;
        const plot::Figure figure = figures::make_figure(scene, *engine);
        for (const double width : {326.0, 666.0, 667.0, 782.0}) {
            test::RecordingPainter painter;
            const plot::Rect area{0, 0, width, kHeight};
            const plot::Figure shown = lessons::fitting_figure(
                figure, nullptr,
                {.area = area, .theme = plot::light_theme(), .scale = 1, .metrics = painter});
            ASSERT_FALSE(shown.panels.empty());
            for (const std::string& part :
                 plot::left_out(shown, area, plot::light_theme(), 1, painter)) {
                EXPECT_FALSE(part.starts_with("the title of ") || part.starts_with("the numbers"))
                    << fmt::format("{} at {}: {}", view, width, part);
            }
        }
    }
}

}  // namespace
}  // namespace ropescope
