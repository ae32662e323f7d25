// The stretching view: the lengths that can be chosen are those that were measured, and a click
// chooses the nearest.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/figures/stretch/stretch.h"
#include "app/figures/view.h"
#include "app/scene/parameters.h"
#include "core/demo/demo_scores.h"

namespace ropescope::figures {
namespace {

using ::testing::ElementsAreArray;

Scene scene_at(const std::string& length) {
    Scene scene;
    scene.view = "stretch";
    scene.stretch_length = length;
    return scene;
}

TEST(StretchView, OffersTheLengthsThatWereMeasured) {
    std::vector<std::string> measured;
    for (const Index length : demo::stretched_lengths()) {
        measured.push_back(fmt::format("{}", length));
    }
    EXPECT_THAT(parameter_by_name("stretch_length").choices, ElementsAreArray(measured));
}

TEST(StretchView, ChoosesTheNearestLengthOnTheLogarithmicAxis) {
    const auto engine = make_cpu_engine(1);
    const Picture picture = make_picture(scene_at("1024"), *engine);
    const auto clicked = [&](double tokens) {
        return picture.scene_after_click(scene_at("1024"), "accuracy", {tokens, 20}).stretch_length;
    };
    EXPECT_EQ(clicked(128), "128");
    EXPECT_EQ(clicked(180), "128");
    EXPECT_EQ(clicked(182), "256") << "beyond the geometric mean of both";
    EXPECT_EQ(clicked(2000), "1024");
    EXPECT_EQ(picture.scene_after_click(scene_at("256"), "turns", {3, 1}), scene_at("256"));
}

/// Wavelengths by hand: pair 6 of 16 with base 10000 takes 2 pi 10^1.5 = 198.7 positions, pair 5
/// takes 111.7.
TEST(StretchView, CountsThePairsThatFinishedNoTurnInTraining) {
    const StretchState state = make_stretch_state(scene_at("1024"));
    EXPECT_EQ(state.factor, 8);
    EXPECT_EQ(state.unscaled().unseen, 10) << "pairs 6 to 15";
    EXPECT_NEAR(state.trained_turns(6), 128 / 198.69, 1e-4);
    EXPECT_EQ(make_stretch_state(scene_at("128")).unscaled().unseen, 0);
    EXPECT_EQ(state.best().method, demo::StretchMethod::yarn);
}

}  // namespace
}  // namespace ropescope::figures
