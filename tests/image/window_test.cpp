// The whole window against baselines. Only software rendering is the same everywhere: the pictures
// are compared on llvmpipe and nowhere else.
#include <gtest/gtest.h>
#include <set>

#include "app/figures/view.h"
#include "app/gui/state/actions.h"
#include "app/headless/offscreen_gui.h"
#include "app/headless/screenshot.h"
#include "tests/image/compare.h"
#include "tests/image/navigation.h"
#include "tests/support/needs_egl.h"

namespace ropescope::test {
namespace {

// Small, and yet with names in the navigation and the explanation open.
const headless::ScreenshotOptions kSmall{.width = 1280, .height = 840, .scale = 1, .theme = "dark"};

headless::Image window(const Scene& scene, const headless::ScreenshotOptions& options) {
    const auto engine = make_cpu_engine(1);
    return headless::screenshot(scene, *engine, options);
}

Scene scene_of(const std::string& view) {
    Scene scene;
    scene.view = view;
    scene.attention_table =
        NumberFormat::bf16;  // with fp32 rounding is seen, which no two processors do alike
    return scene;
}

class WindowImage : public testing::Test {
  protected:
    void SetUp() override {
        ROPESCOPE_NEEDS_EGL();
        const std::string renderer = headless::EglContext().device().name;
        if (renderer.find("llvmpipe") == std::string::npos) {
            ASSERT_FALSE(image_tests_required()) << "llvmpipe is required, not " << renderer;
            GTEST_SKIP() << "baselines are of llvmpipe, this is " << renderer;
        }
    }

    static void expect_baseline(const Scene& scene, headless::ScreenshotOptions options,
                                const std::string& name) {
        const std::string png = headless::encode_png(window(scene, options));
        EXPECT_TRUE(matches_baseline(png, "window-" + name, navigation_of(options)));
    }
};

/// The navigation in a picture of the window with this view.
std::string navigation_png(const std::string& view, const headless::ScreenshotOptions& options) {
    const Picture picture = decode_png(headless::encode_png(window(scene_of(view), options)));
    return encode_png(cut(picture, navigation_of(options)));
}

TEST_F(WindowImage, EveryViewDarkAndLight) {
    for (const figures::View& view : figures::views()) {
        for (const char* theme : {"dark", "light"}) {
            headless::ScreenshotOptions options = kSmall;
            options.theme = theme;
            expect_baseline(scene_of(view.id), options, view.id + "-" + theme);
        }
    }
}

TEST_F(WindowImage, Navigation) {
    for (const char* theme : {"dark", "light"}) {
        const headless::ScreenshotOptions high{.width = 1280, .height = 1100, .theme = theme};
        EXPECT_TRUE(matches_baseline(navigation_png("rotation", high),
                                     std::string("window-navigation-") + theme));
    }
    const headless::ScreenshotOptions narrow{.width = 1000, .height = 840, .theme = "dark"};
    EXPECT_TRUE(matches_baseline(navigation_png("rotation", narrow), "window-navigation-keys"));
}

// A view of which the picture is drawn fast; the last ones are scrolled into sight.
TEST_F(WindowImage, TheNavigationShowsWhichViewIsShown) {
    std::set<std::string> pictures;
    const std::vector<std::string> quick = {"rotation", "spectrum",  "table",  "model",
                                            "axes",     "positions", "stretch"};
    for (const std::string& view : quick) {
        pictures.insert(navigation_png(view, kSmall));
    }
    EXPECT_EQ(pictures.size(), quick.size());
}

TEST_F(WindowImage, ADefectBesideTheNavigationFails) {
    const plot::Rect apart = navigation_of(kSmall);
    const Picture right = decode_png(headless::encode_png(window(scene_of("table"), kSmall)));
    const auto seen = [&](double x, double y) {
        const plot::Rect square{x, y, 20, 20};
        return !compare(without(without(right, square), apart), without(right, apart)).passes();
    };
    EXPECT_FALSE(seen(apart.x + 30, apart.y + 30));
    EXPECT_TRUE(seen(apart.x + apart.width, apart.y + 30)) << "right of it";
    EXPECT_TRUE(seen(apart.x + 30, apart.y - 20)) << "above it";
    EXPECT_TRUE(seen(apart.x + 30, apart.y + apart.height)) << "below it";
    EXPECT_LT(apart.width, 0.2 * kSmall.width);
}

TEST_F(WindowImage, Projector) {
    expect_baseline(scene_of("rotation"),
                    {.width = 1100, .height = 800, .scale = 1, .theme = "projector"},
                    "rotation-projector");
}

TEST_F(WindowImage, TwiceAsSharp) {
    expect_baseline(scene_of("spectrum"),
                    {.width = 560, .height = 420, .scale = 2, .theme = "light"}, "spectrum-2x");
}

TEST_F(WindowImage, SmallestWindow) {
    expect_baseline(scene_of("rotation"),
                    {.width = 480, .height = 360, .scale = 1, .theme = "dark"}, "rotation-tiny");
}

/// The window with a step of a lesson, or with the list of lessons.
std::string lesson_png(const headless::ScreenshotOptions& options, const char* lesson,
                       std::size_t step, bool presenting) {
    const auto engine = make_cpu_engine(1);
    headless::OffscreenGui gui({}, *engine, options);
    gui.state().presenting = presenting;
    gui.state().lessons.progress = {{lesson, step}, {"why-position", 100}};
    if (step == 0) {
        gui::open_overlay(gui.state(), gui::Overlay::lessons);
    } else {
        gui::open_lesson(gui.state(), lesson);
    }
    constexpr int kUntilAtRest = 4;
    for (int i = 0; i < kUntilAtRest; ++i) {
        gui.frame();
    }
    return headless::encode_png(gui.read());
}

TEST_F(WindowImage, Lessons) {
    const auto expect = [](const headless::ScreenshotOptions& options, std::size_t step,
                           const std::string& name, bool presenting = false) {
        EXPECT_TRUE(matches_baseline(lesson_png(options, "one-pair", step, presenting),
                                     "window-lesson-" + name, navigation_of(options, presenting)));
    };
    expect({.width = 1600, .height = 1000, .theme = "dark"}, 1, "dark");
    expect({.width = 1280, .height = 840, .theme = "light"}, 3, "light");
    expect({.width = 800, .height = 500, .theme = "dark"}, 1, "small");
    expect({.width = 1280, .height = 840, .theme = "projector"}, 1, "presented", true);
    expect({.width = 800, .height = 500, .theme = "light"}, 0, "list");
}

TEST_F(WindowImage, TheSameTwice) {
    EXPECT_EQ(headless::encode_png(window(scene_of("table"), kSmall)),
              headless::encode_png(window(scene_of("table"), kSmall)));
}

TEST_F(WindowImage, ADeliberateDefectFails) {
    // One position further: arrows, dots and three numbers move.
    Scene moved = scene_of("rotation");
    moved.query_position += 1;
    const auto picture = [&](const Scene& scene) {
        return decode_png(headless::encode_png(window(scene, kSmall)));
    };
    EXPECT_FALSE(compare(picture(moved), picture(scene_of("rotation"))).passes());
}

TEST_F(WindowImage, EveryPixelIsOpaqueAndTheFigureIsDrawn) {
    const headless::Image image = window(scene_of("rotation"), kSmall);
    ASSERT_EQ(image.pixels.size(),
              static_cast<std::size_t>(kSmall.width) * static_cast<std::size_t>(kSmall.height));
    std::size_t query_coloured = 0;
    for (const plot::Color& pixel : image.pixels) {
        ASSERT_EQ(pixel.a, 255);
        query_coloured += pixel == plot::dark_theme()[plot::Role::query] ? 1U : 0U;
    }
    EXPECT_GT(query_coloured, 500U) << "arrows, sliders and the selected border";
}

}  // namespace
}  // namespace ropescope::test
