// Recordings that are made beside the window.
#include "app/gui/background/figure_recorder.h"

#include <chrono>
#include <filesystem>
#include <gtest/gtest.h>
#include <memory>
#include <thread>

#include "app/gui/state/actions.h"
#include "app/gui/state/export_actions.h"
#include "core/base/file.h"
#include "tests/support/patience.h"
#include "tests/support/temp_folder.h"

namespace ropescope::gui {
namespace {

using test::TempFolder;

struct RecorderWindow {
    std::unique_ptr<Engine> engine = make_cpu_engine(1);
    AppState state;
    FigureRecorder recorder;

    RecorderWindow() {
        state.engine = engine.get();
        state.scene.view = "rotation";
        state.exporting.values = {{"--size", "240x180"}};
        state.recording.steps = 1;
        update_figure(state);
        recorder.serve(state, [] {});
    }
    /// Frames until nothing is being made; false when it takes two minutes.
    bool ends() {
        const auto give_up =
            std::chrono::steady_clock::now() + std::chrono::minutes(2 * test::kPatience);
        while (state.recording.done && std::chrono::steady_clock::now() < give_up) {
            recorder.update(state);
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        return !state.recording.done;
    }
};

TEST(FigureRecorder, WritesWhatTheSheetSays) {
    const TempFolder folder;
    RecorderWindow window;
    const std::string path = (folder / "a.apng").string();
    ASSERT_TRUE(export_figure(window.state, path)) << window.state.error;
    ASSERT_TRUE(window.state.recording.done);
    EXPECT_FALSE(export_figure(window.state, path)) << "one at a time";
    ASSERT_TRUE(window.ends());
    EXPECT_TRUE(read_file(path).find("acTL") != std::string::npos);
    EXPECT_EQ(window.state.notice.text, "wrote " + path);
    EXPECT_EQ(window.state.exporting.format, "apng");
}

TEST(FigureRecorder, LeavesNothingWhenItIsEnded) {
    const TempFolder folder;
    RecorderWindow window;
    ASSERT_TRUE(export_figure(window.state, (folder / "a.apng").string())) << window.state.error;
    window.state.recording.stop = true;
    ASSERT_TRUE(window.ends());
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    EXPECT_EQ(window.state.notice.text, "the recording was ended; nothing was written");
    EXPECT_EQ(window.state.error, "");
    ASSERT_TRUE(export_figure(window.state, (folder / "b.apng").string()))
        << "and another can be made";
    EXPECT_FALSE(window.state.recording.stop);
}

TEST(FigureRecorder, SaysWhyNothingWasWritten) {
    const TempFolder folder;
    RecorderWindow window;
    ASSERT_TRUE(export_figure(window.state, (folder / "none" / "a.apng").string()));
    ASSERT_TRUE(window.ends());
    EXPECT_NE(window.state.error.find("none"), std::string::npos) << window.state.error;
    EXPECT_NE(window.state.notice.text.substr(0, 5), "wrote");
}

TEST(FigureRecorder, AWindowWithoutOneExportsPicturesOnly) {
    const TempFolder folder;
    RecorderWindow window;
    EXPECT_TRUE(records(window.state, "A.APNG"));
    EXPECT_FALSE(records(window.state, "a.png"));
    window.state.recording.start = {};
    EXPECT_FALSE(records(window.state, "a.apng"));
    EXPECT_FALSE(export_figure(window.state, (folder / "a.apng").string()));
    EXPECT_NE(window.state.error.find(".png"), std::string::npos) << window.state.error;
}

}  // namespace
}  // namespace ropescope::gui
