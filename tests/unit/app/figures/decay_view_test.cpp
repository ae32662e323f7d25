// What the decay figure says where the bound does not fall, and where its marks stand.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/figures/view.h"
#include "app/scene/settings.h"
#include "core/analysis/decay.h"

namespace ropescope::figures {
namespace {

using testing::HasSubstr;

plot::Figure figure_with(const std::vector<std::string>& settings) {
    Scene scene = apply_settings({}, settings);
    scene.view = "decay";
    return make_figure(scene, *make_cpu_engine(1));
}

TEST(Rises, NoiseBelowTheToleranceIsNoFall) {
    const std::vector<double> noise = {1, 1 - 1e-16, 1, 1 - 2e-16, 1};
    const Rises rises = find_rises(noise, 1e-14);
    EXPECT_TRUE(rises.constant());
    EXPECT_EQ(rises.lowest_at, 0);
    EXPECT_FALSE(find_rises(std::vector<double>{1, 1 - 1e-13}, 1e-14).constant());
}

TEST(DecayFigure, SaysThatABoundIsConstant) {
    for (const char* setting : {"head_dim=2", "base=1"}) {
        const plot::Figure figure = figure_with({setting});
        EXPECT_THAT(figure.title, HasSubstr("at every distance")) << setting;
        EXPECT_EQ(figure.panels[0].corners.top_right, "constant");
        EXPECT_THAT(figure.report, HasSubstr("The bound is "));
        EXPECT_TRUE(std::ranges::none_of(
            figure.panels[0].marks,
            [](const plot::Mark& mark) { return std::holds_alternative<plot::Points>(mark); }))
            << "a mark of rounding: " << setting;
    }
}

TEST(DecayFigure, TheCurvesPassThroughTheirMarks) {
    const plot::Figure figure =
        figure_with({"base=500000", "decay_range=131072", "distance_axis=logarithmic"});
    const plot::Panel& panel = figure.panels[0];
    const auto ring = std::ranges::find_if(panel.marks, [](const plot::Mark& mark) {
        return std::holds_alternative<plot::Points>(mark);
    });
    ASSERT_NE(ring, panel.marks.end());
    const plot::Point at = std::get<plot::Points>(*ring).points.front();
    const auto& curve = std::get<plot::Line>(panel.marks.front()).points;
    EXPECT_THAT(curve, testing::Contains(testing::AllOf(testing::Field(&plot::Point::x, at.x),
                                                        testing::Field(&plot::Point::y, at.y))));
    EXPECT_TRUE(std::ranges::is_sorted(curve, {}, &plot::Point::x));
    EXPECT_LT(curve.size(), 2000U) << "still thinned";
}

}  // namespace
}  // namespace ropescope::figures
