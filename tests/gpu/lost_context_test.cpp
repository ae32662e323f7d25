// What happens when a context is lost in the middle of a figure or a screenshot.
#include <gmock/gmock.h>

#include "app/figures/view.h"
#include "app/headless/screenshot.h"
#include "core/base/error.h"
#include "tests/support/figure_text.h"
#include "tests/support/lost_gpu_engine.h"
#include "tests/support/needs_egl.h"

namespace ropescope::test {
namespace {

class LostContext : public ::testing::Test {
  protected:
    void SetUp() override { ROPESCOPE_NEEDS_EGL(); }

    /// A GPU that is lost after this many launches, and the CPU as its fallback.
    std::unique_ptr<Engine> lost_after(std::int64_t launches) {
        return make_lost_gpu_engine(
            launches, {.engine = make_cpu_engine(1),
                       .tell = [this](const std::string& line) { told_.push_back(line); }});
    }
    void expect_told_once() const {
        ASSERT_EQ(told_.size(), 1U);
        EXPECT_THAT(told_[0], ::testing::HasSubstr("the OpenGL context was lost"));
        EXPECT_THAT(told_[0], ::testing::Not(::testing::HasSubstr("\n")));
    }

    std::vector<std::string> told_;
    std::unique_ptr<Engine> cpu_ = make_cpu_engine(1);
};

TEST_F(LostContext, IsToldByTheEngineWithoutAnotherBehindIt) {
    const auto engine = make_lost_gpu_engine(1);
    const Spectrum spectrum = make_spectrum({8, 8, 10000.0, Layout::half_split});
    EXPECT_EQ(engine->table(spectrum, 3, 2).cos, cpu_->table(spectrum, 3, 2).cos);
    EXPECT_THROW(engine->table(spectrum, 3, 2), CapabilityError);
    EXPECT_THROW(engine->table(spectrum, 3, 2), CapabilityError) << "and stays lost";
}

TEST_F(LostContext, InTheMiddleOfAnEncoderLosesNothing) {
    Scene scene;
    scene.view = "attention";
    scene.attention_tokens = 6;
    const auto engine = lost_after(30);
    const plot::Figure figure = figures::make_figure(scene, *engine);
    expect_told_once();
    EXPECT_EQ(engine->name(), "cpu");
    EXPECT_EQ(plot::figure_text(figure), plot::figure_text(figures::make_figure(scene, *cpu_)));
}

TEST_F(LostContext, InTheMiddleOfAScreenshotGivesTheWholePicture) {
    Scene scene;
    scene.view = "table";
    const headless::ScreenshotOptions options{.width = 640, .height = 480};
    const auto engine = lost_after(1);
    const headless::Image image = headless::screenshot(scene, *engine, options);
    expect_told_once();
    EXPECT_EQ(image.pixels, headless::screenshot(scene, *cpu_, options).pixels);
}

}  // namespace
}  // namespace ropescope::test
