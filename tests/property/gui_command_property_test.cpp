// "Copy command" must lead back to the same scene, whatever was set.
#include <gtest/gtest.h>
#include <iostream>
#include <random>

#include "app/gui/state/scene_text.h"
#include "app/scene/settings.h"
#include "app/scene/sliders.h"
#include "app/scene/values.h"
#include "core/formats/model_config.h"
#include "core/formats/presets.h"
#include "tests/support/run_program.h"
#include "tests/support/scenes.h"

namespace ropescope::gui {
namespace {

constexpr unsigned kSeed = 20240611;

Scene random_scene(std::mt19937& random) {
    Scene scene;
    const auto& models = model_presets();
    if (random() % 2 == 0) {
        scene = with_model(scene, models[random() % models.size()]);
    }
    std::uniform_real_distribution<double> fraction(0, 1);
    for (const Parameter& parameter : parameters()) {
        if (random() % 3 != 0) {
            continue;
        }
        if (!parameter.choices.empty()) {
            scene = test::with_one_value(scene, parameter.name,
                                         parameter.choices[random() % parameter.choices.size()]);
        } else if (is_number(parameter)) {
            scene = with_slider(scene, parameter.name,
                                slider_value(scene, parameter, fraction(random)));
        }
    }
    return scene;
}

TEST(GuiCommandProperty, SettingsLeadBackToTheScene) {
    std::cout << "seed " << kSeed << "\n";
    std::mt19937 random(kSeed);
    for (int i = 0; i < 500; ++i) {
        const Scene scene = random_scene(random);
        Scene back = apply_settings(Scene{}, settings_for(scene));
        back.view = scene.view;
        ASSERT_EQ(back, scene) << figure_command(scene);
    }
}

TEST(GuiCommandProperty, ShellsReadTheQuotedWordBack) {
    std::cout << "seed " << kSeed << "\n";
    std::mt19937 random(kSeed);
    constexpr std::string_view kHard = "a'\"\\ $`!*?()[]{}<>|&;#~=,\tü";
    for (int i = 0; i < 20; ++i) {
        std::string word;
        for (int j = 0; j < 12; ++j) {
            word += kHard[random() % (kHard.size() - 2)];
        }
        word += "ü";
        const test::RunResult shell =
            test::run_command({"sh", "-c", "printf %s " + shell_quoted(word)});
        ASSERT_EQ(shell.out, word);
    }
}

}  // namespace
}  // namespace ropescope::gui
