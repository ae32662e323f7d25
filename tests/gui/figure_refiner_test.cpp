// The whole figure that replaces a draft.
#include "app/gui/background/figure_refiner.h"

#include <algorithm>
#include <chrono>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "app/gui/state/actions.h"
#include "app/scene/settings.h"
#include "core/base/error.h"
#include "core/base/write_file.h"
#include "core/diagnosis/read_dump.h"
#include "core/formats/safetensors.h"
#include "core/formats/tensor.h"
#include "tests/support/figure_text.h"
#include "tests/support/input_error.h"
#include "tests/support/patience.h"
#include "tests/support/temp_folder.h"

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
        const auto give_up =
            std::chrono::steady_clock::now() + std::chrono::minutes(1 * test::kPatience);
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
    const auto give_up =
        std::chrono::steady_clock::now() + std::chrono::minutes(1 * test::kPatience);
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

/// Frames until the draft that is shown has ended.
void until_settled(AppState& state, FigureRefiner& refiner) {
    const auto give_up =
        std::chrono::steady_clock::now() + std::chrono::minutes(1 * test::kPatience);
    while (state.shown.is_draft() && std::chrono::steady_clock::now() < give_up) {
        refiner.update(state, [] {});
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

/// Whatever a view throws beside the frame is said in the figure's place, in its own words, by
/// every view; it is not tried again, and the next scene has a figure.
TEST(FigureRefiner, EveryViewSaysWhatItThrows) {
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    for (const figures::View& view : figures::views()) {
        for (const bool of_input : {true, false}) {
            int tried = 0;
            const auto refuse = [&](const Scene& scene, Engine&,
                                    const figures::Work&) -> figures::Picture {
                ++tried;
                if (of_input) {
                    throw InputError(scene.view + " cannot be made");
                }
                throw std::runtime_error(scene.view + " cannot be made");
            };
            FigureRefiner refiner(EngineSource(), refuse);
            AppState state;
            state.engine = engine.get();
            state.shown.may_draft = true;
            state.scene.view = view.id;
            update_figure(state);
            ASSERT_TRUE(state.shown.picture) << view.id;
            if (!state.shown.is_draft()) {  // as if this view had no time for its figure
                state.shown.picture->draft = true;
                ++state.shown.drafts;
            }
            until_settled(state, refiner);
            for (int frame = 0; frame < 5; ++frame) {
                refiner.update(state, [] {});
            }
            EXPECT_EQ(state.shown.error, view.id + " cannot be made");
            EXPECT_EQ(state.shown.current(), nullptr) << "an earlier figure passes for this one";
            EXPECT_FALSE(state.shown.is_draft()) << view.id << " would wait for ever";
            EXPECT_EQ(tried, 1) << view.id;
            state.scene.view = view.id == "rotation" ? "spectrum" : "rotation";
            update_figure(state);
            EXPECT_EQ(state.shown.error, "") << view.id;
        }
    }
}

TEST(FigureRefiner, ADumpThatCannotBeReadIsSaidInTheWordsOfTheCommand) {
    const test::TempFolder folder;
    write_file_whole(folder / "cut.npz", "PK");
    write_safetensors(
        folder / "names.safetensors",
        std::vector<Tensor>{make_tensor("query", {1, 2}, std::vector<double>{1.0, 2.0})});
    for (const std::string& path : {(folder / "cut.npz").string(), std::string("/gone.npz"),
                                    (folder / "names.safetensors").string()}) {
        const std::unique_ptr<Engine> engine = make_cpu_engine(1);
        AppState state;
        state.engine = engine.get();
        state.shown.may_draft = true;
        state.scene = apply_settings({}, {"view=diagnose", "dump=" + path});
        update_figure(state);
        ASSERT_TRUE(state.shown.is_draft()) << path;
        FigureRefiner refiner;
        until_settled(state, refiner);
        EXPECT_EQ(state.shown.error,
                  "dump: " + test::input_error([&] { diagnosis::read_dump(path); }));
        EXPECT_THAT(std::string(state.shown.figure()->title),
                    ::testing::Not(::testing::HasSubstr("being read")));
    }
}

}  // namespace
}  // namespace ropescope::gui
