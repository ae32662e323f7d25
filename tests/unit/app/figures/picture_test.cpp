// Tests that a picture answers from what it was made of.
#include "app/figures/picture.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <limits>

#include "app/figures/view.h"
#include "app/scene/settings.h"
#include "core/engine/dispatched_engine.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"

namespace ropescope::figures {
namespace {

namespace fs = std::filesystem;

/// Every value under a mouse that moves over all panels and beyond their edges.
std::vector<std::string> answers(const Picture& picture) {
    constexpr int kSteps = 9;
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::string> values;
    const auto ask = [&](const std::string& panel, plot::Point at) {
        for (const plot::Readout& readout : picture.readouts_at(panel, at)) {
            values.push_back(readout.name + ": " + readout.value);
        }
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
    return scenes;
}

TEST(EveryPicture, AnswersTheMouseWithoutAnEngineAndWithoutFiles) {
    const test::TempFolder folder;
    const fs::path model = folder / "model", away = folder / "away";
    fs::copy(test::source_dir() + "/tests/golden/hf_roformer_base", model);
    const auto cpu = make_dispatched_engine(make_cpu_engine(1));  // with a clock
    const CheckRun run = run_checks(select_checks("table.*"), {.engines = {cpu.get()}});
    for (const Scene& scene : scenes_of(model)) {
        SCOPED_TRACE(scene.view);
        const Picture picture = make_picture(scene, *cpu, {.check_run = &run});
        const std::int64_t calls = cpu->time().calls;
        const std::vector<std::string> before = answers(picture);
        EXPECT_FALSE(before.empty());
        fs::rename(model, away);
        std::vector<std::string> after;
        EXPECT_NO_THROW(after = answers(picture));
        fs::rename(away, model);
        EXPECT_EQ(after, before) << "it has looked for the model's files";
        EXPECT_EQ(cpu->time().calls, calls) << "it has computed";
    }
}

}  // namespace
}  // namespace ropescope::figures
