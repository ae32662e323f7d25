// The whole figure that replaces a draft.
#include "app/gui/background/figure_refiner.h"

#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>

#include "app/gui/state/actions.h"
#include "tests/support/figure_text.h"

namespace ropescope::gui {
namespace {

struct RefinerWindow {
    std::unique_ptr<Engine> engine = make_cpu_engine(1);
    AppState state;
    FigureRefiner refiner;

    RefinerWindow() {
        state.engine = engine.get();
        state.shown.may_draft = true;
        state.scene.view = "decay";
        update_figure(state);
    }
    /// Frames until the figure is whole; false when it takes a minute.
    bool settles() {
        const auto give_up = std::chrono::steady_clock::now() + std::chrono::minutes(1);
        while (state.shown.is_draft() && std::chrono::steady_clock::now() < give_up) {
            refiner.update(state, [] {});
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        return !state.shown.is_draft();
    }
    std::string whole() const {
        return plot::figure_text(figures::make_figure(state.scene, *engine));
    }
};

TEST(FigureRefiner, SwapsTheWholeFigureIn) {
    RefinerWindow window;
    ASSERT_TRUE(window.state.shown.is_draft());
    EXPECT_NE(plot::figure_text(*window.state.shown.figure()), window.whole());
    ASSERT_TRUE(window.settles());
    EXPECT_EQ(plot::figure_text(*window.state.shown.figure()), window.whole());
}

TEST(FigureRefiner, NeverShowsAFigureOfAnEarlierScene) {
    RefinerWindow window;
    window.refiner.update(window.state, [] {});
    window.state.scene.base = 500000;
    update_figure(window.state);
    ASSERT_TRUE(window.settles());
    EXPECT_EQ(plot::figure_text(*window.state.shown.figure()), window.whole());
}

TEST(FigureRefiner, WaitsWhileAKnobIsHeldAndLeavesViewsAlone) {
    RefinerWindow window;
    window.state.drag_start = window.state.scene;
    window.refiner.update(window.state, [] {});
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    window.refiner.update(window.state, [] {});
    EXPECT_TRUE(window.state.shown.is_draft());
    window.state.scene.view = "rotation";
    update_figure(window.state);
    EXPECT_FALSE(window.state.shown.is_draft()) << "this view is whole at once";
}

TEST(FigureRefiner, TellsHowFarItIsAndIsEndedAndGoesOn) {
    RefinerWindow window;
    window.state.scene.view = "attention";
    window.state.scene.attention_tokens = 300;  // more than a frame has time for
    window.state.scene.content_seed = 4711;
    update_figure(window.state);
    ASSERT_TRUE(window.state.shown.is_draft());
    window.state.shown.refining.stopped = true;
    for (int frame = 0; frame < 20; ++frame) {
        window.refiner.update(window.state, [] {});
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    EXPECT_TRUE(window.state.shown.is_draft());
    EXPECT_FALSE(window.state.shown.refining.done) << "nothing has begun";

    window.state.shown.refining.stopped = false;
    std::vector<double> shares;
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (window.state.shown.is_draft() && std::chrono::steady_clock::now() < give_up) {
        window.refiner.update(window.state, [] {});
        if (const std::optional<double> done = window.state.shown.refining.done) {
            shares.push_back(*done);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_FALSE(window.state.shown.is_draft());
    EXPECT_TRUE(std::ranges::is_sorted(shares));
    ASSERT_FALSE(shares.empty());
    EXPECT_GT(shares.back(), shares.front()) << "it was told more than once";
    EXPECT_EQ(plot::figure_text(*window.state.shown.figure()), window.whole());
}

}  // namespace
}  // namespace ropescope::gui
