// When the window draws, with events that come between any two frames.
#include "app/gui/frame_pacing.h"

#include <gtest/gtest.h>

#include "app/gui/state/actions.h"
#include "app/gui/state/export_actions.h"

namespace ropescope::gui {
namespace {

class GuiFramePacing : public testing::Test {
  protected:
    GuiFramePacing() {
        state.engine = engine.get();
        update_figure(state);
        rest();
    }
    /// One frame; how long to wait after it.
    double frame() {
        update_figure(state);
        return pacing.wait_after_frame(state, 0);
    }
    /// Frames until nothing is due; how many they were.
    int rest() {
        int frames = 1;
        while (frame() == 0) {
            ++frames;
            EXPECT_LT(frames, 100) << "it never comes to rest";
        }
        return frames;
    }

    std::unique_ptr<Engine> engine = make_cpu_engine(1);
    AppState state;
    FramePacing pacing;
};

TEST_F(GuiFramePacing, RestsUntilAnEvent) {
    EXPECT_EQ(frame(), kUntilAnEvent);
}

TEST_F(GuiFramePacing, AnEventDuringTheFramesOfAnotherHasAllOfItsOwn) {
    pacing.event();
    const int all = rest();
    EXPECT_EQ(all, FramePacing::kFramesAfterEvent + 1);
    for (int before = 0; before <= all; ++before) {
        pacing.event();
        for (int i = 0; i < before; ++i) {
            frame();
        }
        pacing.event();
        EXPECT_EQ(rest(), all) << "after " << before << " frames of the event before";
    }
}

TEST_F(GuiFramePacing, AFigureOfAnotherSceneAsksForAFrame) {
    state.scene.base = 500000;  // after the figure was made, as a click in it does
    EXPECT_EQ(pacing.wait_after_frame(state, 0), 0);
    EXPECT_EQ(frame(), kUntilAnEvent);
    state.scene.rotary_dim = 2 * state.scene.head_dim;
    EXPECT_EQ(pacing.wait_after_frame(state, 0), 0);
    rest();
    EXPECT_NE(state.shown.error, "") << "what cannot be drawn does not keep the window awake";
}

TEST_F(GuiFramePacing, WhatChangesAfterAFrameIsDrawnInAnother) {
    state.error = "refused";
    EXPECT_EQ(frame(), 0);
    EXPECT_EQ(frame(), kUntilAnEvent);
    open_overlay(state, Overlay::help);
    EXPECT_EQ(frame(), 0);
    EXPECT_EQ(frame(), kUntilAnEvent);
    state.checks.run.results.emplace_back();
    EXPECT_EQ(frame(), 0);
    EXPECT_EQ(frame(), kUntilAnEvent);
}

TEST_F(GuiFramePacing, WakesForWhatMovesByItself) {
    open_overlay(state, Overlay::models);
    rest();
    EXPECT_LT(frame(), 0.5) << "the caret blinks";
    close_overlay(state);
    rest();
    copy_command(state);
    rest();
    EXPECT_EQ(frame(), state.notice.seconds_left);
    state.notice = {};
    state.scene.speed = 4;
    perform(state, Action::play, false);
    rest();
    EXPECT_GT(frame(), 0);
    EXPECT_LT(frame(), 1.0 / 60) << "arrows turn between two positions";
    state.scene.view = "scores";
    rest();
    EXPECT_EQ(frame(), 0.25) << "the next position";
    EXPECT_EQ(pacing.wait_after_frame(state, 0.2), 0.25 - 0.2);
    state.scene.view = "layouts";
    rest();
    EXPECT_GT(frame(), 0);
    EXPECT_LT(frame(), 1.0 / 60) << "every frame of the walk differs";
}

}  // namespace
}  // namespace ropescope::gui
