// Tests that a picture answers from what it was made of.
#include "app/figures/picture.h"

#include <array>
#include <filesystem>
#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>
#include <sys/inotify.h>
#include <unistd.h>

#include "app/figures/view.h"
#include "app/scene/settings.h"
#include "core/engine/dispatched_engine.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"

namespace ropescope::figures {
namespace {

namespace fs = std::filesystem;

/// Counts how often files in a folder are opened or read, by this process or any other.
class OpenedFiles {
  public:
    explicit OpenedFiles(const fs::path& folder) : watch_(::inotify_init1(IN_NONBLOCK)) {
        if (::inotify_add_watch(watch_, folder.c_str(), IN_OPEN | IN_ACCESS) < 0) {
            throw std::runtime_error("the folder cannot be watched");
        }
    }
    ~OpenedFiles() { ::close(watch_); }
    OpenedFiles(const OpenedFiles&) = delete;
    OpenedFiles& operator=(const OpenedFiles&) = delete;

    /// Since the last call.
    bool any() {
        alignas(inotify_event) std::array<char, 4096> events;
        bool found = false;
        while (::read(watch_, events.data(), events.size()) > 0) {
            found = true;
        }
        return found;
    }

  private:
    int watch_;
};

/// Every value under a mouse that moves over all panels and beyond their edges, and every view that
/// a click there would leave.
std::vector<std::string> answers(const Picture& picture, const Scene& scene) {
    constexpr int kSteps = 9;
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::string> values;
    const auto ask = [&](const std::string& panel, plot::Point at) {
        for (const plot::Readout& readout : picture.readouts_at(panel, at)) {
            values.push_back(readout.name + ": " + readout.value);
        }
        values.push_back(picture.scene_after_click(scene, panel, at).view);
    };
    for (const plot::Panel& panel : picture.figure.panels) {
        const auto place = [](const plot::Axis& axis, int step) {
            return axis.min + (axis.max - axis.min) * (step - 0.5) / (kSteps - 1);
        };
        for (int row = 0; row <= kSteps; ++row) {
            for (int column = 0; column <= kSteps; ++column) {
                ask(panel.id, {place(panel.x, column), place(panel.y, row)});
            }
        }
        ask(panel.id, {kNan, kNan});
    }
    return values;
}

/// A scene of every view, on the model in this folder.
std::vector<Scene> scenes_of(const std::string& model) {
    std::vector<Scene> scenes;
    for (const View& view : views()) {
        scenes.push_back(apply_settings({}, {"model=" + model, "view=" + view.id}));
    }
    scenes.push_back(apply_settings({}, {"view=layouts", "layouts_show=walk"}));
    scenes.push_back(apply_settings({}, {"view=context", "context_show=bases"}));
    scenes.push_back(apply_settings(
        {}, {"view=attention", "attention_source=folder", "attention_folder=" + model}));
    return scenes;
}

TEST(EveryPicture, AnswersTheMouseWithoutAnEngineAndWithoutFiles) {
    const test::TempFolder folder;
    const fs::path model = folder / "model";
    fs::copy(test::source_dir() + "/tests/golden/hf_roformer_base", model);
    const auto cpu = make_dispatched_engine(make_cpu_engine(1));  // with a clock
    CheckRun run = run_checks(select_checks("table.*"), {.engines = {cpu.get()}});
    run.asked = select_checks("*");  // as of a run that is under way
    OpenedFiles opened(model);
    int reads = 0;
    for (const Scene& scene : scenes_of(model)) {
        SCOPED_TRACE(scene.view);
        const Picture picture = make_picture(scene, *cpu, {.check_run = &run});
        reads += opened.any() ? 1 : 0;
        const std::int64_t calls = cpu->time().calls;
        EXPECT_FALSE(answers(picture, scene).empty());
        EXPECT_FALSE(opened.any()) << "an answer has opened the model's files";
        EXPECT_EQ(cpu->time().calls, calls) << "an answer has computed";
    }
    EXPECT_GT(reads, 0) << "no view has read the model, so the watch proves nothing";
}

}  // namespace
}  // namespace ropescope::figures
