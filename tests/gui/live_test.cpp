// What the window draws from the memory of the engine is what it draws of values that were read.
#include <algorithm>
#include <gmock/gmock.h>

#include "app/gui/state/actions.h"
#include "app/gui/state/export_actions.h"
#include "app/headless/offscreen_gui.h"
#include "app/scene/settings.h"
#include "core/base/file.h"
#include "tests/support/lost_gpu_engine.h"
#include "tests/support/needs_egl.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

const headless::ScreenshotOptions kSize{.width = 900, .height = 700};

/// A window whose engine may share its context.
class LiveWindow {
  public:
    /// The GPU is lost after `lost_after` launches; if negative, never.
    explicit LiveWindow(const Scene& scene, bool shares, std::int64_t lost_after = -1)
        : first_(make_cpu_engine(1)), gui_(scene, *first_, kSize) {
        headless::EglRequest request;
        if (shares) {
            request.share = headless::current_egl_context();
        }
        engine_ = make_lost_gpu_engine(lost_after, {.engine = make_cpu_engine(1)}, request);
        gui_.state().engine = engine_.get();
    }
    ~LiveWindow() { let_engine_go(); }
    LiveWindow(const LiveWindow&) = delete;
    LiveWindow& operator=(const LiveWindow&) = delete;

    headless::OffscreenGui& gui() { return gui_; }
    gui::AppState& state() { return gui_.state(); }
    Engine& engine() { return *engine_; }
    void let_engine_go() {
        gui_.state().shown.cache.free_engine_memory();  // it is of the engine
        engine_.reset();
    }

    headless::Image picture() {
        for (int i = 0; i < 4; ++i) {
            gui_.frame();
        }
        EXPECT_EQ(state().shown.error, "");
        return gui_.read();
    }

  private:
    std::unique_ptr<Engine> first_;
    headless::OffscreenGui gui_;
    std::unique_ptr<Engine> engine_;
};

struct Levels {
    int worst = 0;
    std::int64_t differing = 0;  ///< pixels by more than one level
};

Levels difference(const headless::Image& a, const headless::Image& b) {
    Levels levels;
    for (std::size_t i = 0; i < a.pixels.size(); ++i) {
        const plot::Color p = a.pixels[i], q = b.pixels[i];
        const int most = std::max({std::abs(p.r - q.r), std::abs(p.g - q.g), std::abs(p.b - q.b)});
        levels.worst = std::max(levels.worst, most);
        levels.differing += most > 1 ? 1 : 0;
    }
    return levels;
}

/// One window after the other: ImGui has one at a time.
headless::Image picture_of(const Scene& scene, bool live) {
    LiveWindow window(scene, live);
    headless::Image picture = window.picture();
    EXPECT_EQ(plot::is_live(*window.state().shown.figure()), live);
    return picture;
}

Levels live_and_read(const Scene& scene) {
    return difference(picture_of(scene, true), picture_of(scene, false));
}

class Live : public ::testing::Test {
  protected:
    void SetUp() override { ROPESCOPE_NEEDS_EGL(); }
};

TEST_F(Live, HeatMapsOfATableAreWithinOneLevel) {
    for (const char* quantity : {"cos", "sin", "angle"}) {
        for (const char* count : {"24", "5000"}) {
            const Levels levels = live_and_read(
                apply_settings({}, {"view=table", std::string("table_quantity=") + quantity,
                                    std::string("position_count=") + count}));
            EXPECT_LE(levels.worst, 1) << quantity << " of " << count;
        }
    }
}

TEST_F(Live, MapsOfAttentionAreWithinOneLevel) {
    for (const char* quantity : {"scores", "softmax", "effect"}) {
        for (const char* tokens : {"24", "301"}) {  // a cell is one pair, or two by two
            const Levels levels = live_and_read(apply_settings(
                {},
                {"view=attention", std::string("attention_tokens=") + tokens, "attention_padding=5",
                 "attention_table=bf16", std::string("attention_quantity=") + quantity}));
            // One step of viridis near its bright end changes red by 2.4 levels.
            EXPECT_LE(levels.worst, std::string_view(quantity) == "softmax" ? 3 : 1)
                << quantity << " of " << tokens;
        }
    }
}

/// Dots and arrows have soft edges, which ImGui makes of triangles and the shader of distances.
/// What is inside for one and outside for the other would differ by the whole contrast, 197 in
/// blue; and eight planes have an outline of some 8 (2 arrows x 2 x 70 + 48 dots x 14) = 7600
/// pixels.
TEST_F(Live, RotationsDifferAtTheirEdgesOnly) {
    const Levels levels = live_and_read(apply_settings({}, {"query_position=40"}));
    EXPECT_LT(levels.differing, kSize.width * kSize.height / 200);
    EXPECT_LT(levels.worst, 160);
}

TEST_F(Live, NoNumberOfAMapIsReadAndThePictureIsColoredOnce) {
    LiveWindow window(apply_settings({}, {"view=table"}), true);
    window.picture();
    const auto& panel = window.state().shown.figure()->panels.front();
    for (const plot::Mark& mark : panel.marks) {
        if (const auto* map = std::get_if<plot::HeatMap>(&mark)) {
            EXPECT_TRUE(map->values.empty());
            EXPECT_TRUE(map->live.tensor);
        }
    }
    const std::int64_t colored = window.gui().toolkit().live().colored();
    window.picture();
    EXPECT_EQ(window.gui().toolkit().live().colored(), colored);
    window.state().scene.base = 500000;
    window.picture();
    EXPECT_EQ(window.gui().toolkit().live().colored(), colored + 1);
}

TEST_F(Live, AnExportHasTheNumbersAllTheSame) {
    const TempFolder folder;
    const std::string live = (folder / "live.csv").string(), read = (folder / "read.csv").string();
    const Scene scene = apply_settings({}, {"view=table", "position_count=8"});
    {
        LiveWindow window(scene, false);
        window.picture();
        ASSERT_TRUE(gui::export_figure(window.state(), read));
    }
    LiveWindow window(scene, true);
    window.picture();
    ASSERT_TRUE(gui::export_figure(window.state(), live));
    EXPECT_EQ(read_file(live), read_file(read));
    ASSERT_TRUE(gui::export_figure(window.state(), (folder / "live.png").string()));
}

TEST_F(Live, AnEngineThatIsGoneLeavesAGapAndNothingBreaks) {
    LiveWindow window(apply_settings({}, {"view=table"}), true);
    window.picture();
    const plot::Figure figure = *window.state().shown.figure();
    const auto cpu = make_cpu_engine(1);
    window.let_engine_go();
    window.state().engine = cpu.get();
    window.state().scene.view = "rotation";
    window.picture();
    window.state().shown.picture->figure = figure;  // the map of an engine that no longer is
    window.gui().frame();
    window.gui().frame();
}

TEST_F(Live, AWindowThatCannotReadsNumbersAndSaysSo) {
    LiveWindow window(apply_settings({}, {"view=table"}), true);
    window.picture();
    gui::give_up_live_drawing(window.state(), "no OpenGL 4.3");
    window.picture();
    EXPECT_FALSE(plot::is_live(*window.state().shown.figure()));
    EXPECT_EQ(window.engine().name(), "gpu") << "it still computes there";
    EXPECT_THAT(window.state().error, ::testing::HasSubstr("no OpenGL 4.3"));
    window.state().error.clear();
    gui::give_up_live_drawing(window.state(), "again");
    EXPECT_EQ(window.state().error, "") << "once is enough";
}

TEST_F(Live, ALostDeviceIsFollowedByTheProcessor) {
    LiveWindow window(apply_settings({}, {"view=table"}), true, 3);
    for (const char* position : {"10", "20", "30", "40"}) {
        window.state().scene =
            apply_settings(window.state().scene, {std::string("first_position=") + position});
        window.picture();
    }
    EXPECT_EQ(window.engine().name(), "cpu");
    EXPECT_FALSE(plot::is_live(*window.state().shown.figure()));
}

}  // namespace
}  // namespace ropescope::test
