#include "app/figures/shared/shown_encoding.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/scene/settings.h"
#include "core/models/model.h"
#include "tests/support/input_error.h"
#include "tests/unit/app/figures/figure_parts.h"

namespace ropescope::figures {
namespace {

using test::input_error;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

Scene along(const std::string& model, const std::string& axis) {
    return apply_settings({}, {"axes_model=" + model, "axis=" + axis});
}

TEST(ShownEncoding, IsThatOfTheSceneWithoutAnAxis) {
    const ShownEncoding shown = shown_encoding({});
    EXPECT_FALSE(shown.along);
    EXPECT_EQ(shown.scene, Scene{});
    EXPECT_EQ(shown.spectrum.inv_freq_rad, make_spectrum(rope_spec(Scene{})).inv_freq_rad);
}

TEST(ShownEncoding, HasTheColumnOfTheAxisAndTheChannelsOfTheModel) {
    for (const auto& [model, axis, column] :
         {std::tuple{"qwen2-vl-7b", "h", 1}, std::tuple{"wan-2.1", "w", 2},
          std::tuple{"gemma-4-vision", "y", 1}, std::tuple{"ropevit-mixed-start", "x", 0}}) {
        const Scene scene = along(model, axis);
        const ShownEncoding shown = shown_encoding(scene);
        const RotaryScheme scheme = open_model(model).part().scheme;
        ASSERT_EQ(shown.spectrum.pairs(), scheme.pair_count());
        Index turning = 0;
        for (Index pair = 0; pair < scheme.pair_count(); ++pair) {
            const double omega_rad = scheme.heads[0].omega_rad(pair)[column];
            EXPECT_EQ(shown.spectrum.inv_freq_rad[pair], omega_rad);
            EXPECT_EQ(channels_of(shown.spec, shown.along, pair), scheme.pairs[pair]);
            turning += omega_rad != 0 ? 1 : 0;
        }
        EXPECT_EQ(shown.along->turning, turning);
        EXPECT_EQ(shown.spec.pairs(), scheme.pair_count());
    }
}

TEST(ShownEncoding, AllAxesAtOnceAreTextInOne) {
    const Scene text = apply_settings({}, {"model=qwen2-vl-7b"});
    const ShownEncoding shown = shown_encoding(along("qwen2-vl-7b", "all"));
    EXPECT_EQ(shown.spectrum.inv_freq_rad, make_spectrum(rope_spec(text)).inv_freq_rad);
}

/// Most pairs of a model stand still along one of its axes; an infinite wavelength says nothing.
TEST(ShownEncoding, PairsThatStandStillSaySo) {
    const Scene scene = apply_settings(along("wan-2.1", "h"), {"pairs=0,24", "selected_pair=0"});
    for (const char* view : {"rotation", "table", "spectrum"}) {
        SCOPED_TRACE(view);
        const plot::Figure figure = figure_of(scene, view);
        EXPECT_THAT(figure.report, Not(HasSubstr(" inf")));
        for (const plot::Panel& panel : figure.panels) {
            EXPECT_THAT(panel.corners.top_right, Not(HasSubstr(" inf")));
        }
    }
    const plot::Figure rotation = figure_of(scene, "rotation");
    EXPECT_EQ(rotation.panels[0].corners.top_right, "stands still");
    EXPECT_THAT(rotation.panels[1].corners.top_right, HasSubstr("λ 15.11"));
    const ShownEncoding shown = shown_encoding(scene);
    const auto readouts = describe_pair(shown.spec, shown.spectrum, shown.along, 0);
    EXPECT_EQ(std::ranges::find(readouts, "wavelength", &plot::Readout::name)->value,
              "stands still");
}

TEST(ShownEncoding, AnAxisThatTheModelDoesNotHaveIsRefused) {
    EXPECT_THAT(input_error([] { shown_encoding(along("qwen2-vl-vision", "t")); }),
                HasSubstr("axis: 't' is not an axis of axes_model=qwen2-vl-vision; give h, w, all "
                          "or none"));
}

TEST(ShownEncoding, AnotherModelBeginsWithoutAnAxis) {
    const Scene scene = along("qwen2-vl-7b", "h");
    EXPECT_EQ(apply_settings(scene, {"axes_model=wan-2.1"}).axis, kNoAxisChosen);
    EXPECT_EQ(apply_settings(scene, {"model=llama-3-8b"}).axis, kNoAxisChosen);
    EXPECT_EQ(apply_settings(scene, {"axes_model=wan-2.1", "axis=w"}).axis, "w");
}

TEST(ShownEncoding, PairsOfTheModelMayBeChosen) {
    Scene scene = along("sam-2", "x");  // 128 pairs, of which the scene's encoding has 64
    scene.selected_pair = 100;
    EXPECT_EQ(shown_encoding(scene).scene.selected_pair, 100);
    EXPECT_NO_THROW(figure_of(scene, "spectrum"));
    EXPECT_NO_THROW(figure_of(scene, "decay"));
    EXPECT_EQ(apply_settings(scene, {"axis=none"}).selected_pair, 63);
}

TEST(AlongAnAxis, TheSpectrumCountsThePairsThatTurn) {
    const plot::Figure figure = figure_of(along("qwen2-vl-7b", "h"), "spectrum");
    const std::vector<double> inv_freq = reals(figure.data, "inv_freq_rad");
    const std::vector<double> turns = reals(figure.data, "turns_in_context");
    const auto turning = std::ranges::count_if(inv_freq, [](double rad) { return rad != 0; });
    Index unfinished = 0;
    for (std::size_t i = 0; i < turns.size(); ++i) {
        unfinished += inv_freq[i] != 0 && turns[i] < 1 ? 1 : 0;
    }
    EXPECT_EQ(turning, 24);
    EXPECT_EQ(unfinished, 9);
    EXPECT_THAT(figure.title, AllOf(HasSubstr("24 of 64 pairs turn along h of Qwen2-VL 7B"),
                                    HasSubstr("9 of them never finish a turn within 4")));
    EXPECT_THAT(figure.subtitle, AllOf(Not(HasSubstr("base")), Not(HasSubstr("For text"))));
    EXPECT_THAT(figure.report, HasSubstr("head_dim 128, 64 pairs along h of Qwen2-VL 7B"));
}

TEST(AlongAnAxis, RotationAndTableShowItToo) {
    const Scene scene = along("dinov3-vit-small", "w");
    EXPECT_THAT(figure_of(scene, "rotation").title, HasSubstr("16 of 32 pairs turn along w"));
    const plot::Figure table = figure_of(scene, "table");
    EXPECT_THAT(table.title, HasSubstr("16 of 32 pairs turn along w"));
    EXPECT_THAT(table.subtitle, HasSubstr("Patches do not lie at whole positions (w: centre of "
                                          "the column from -1 to 1)"));
    EXPECT_THAT(figure_of(along("wan-2.1", "f"), "table").subtitle,
                Not(HasSubstr("whole positions")));
}

TEST(AlongAnAxis, ItsColourIsThatOfTheViewAxes) {
    EXPECT_EQ(shown_encoding(along("qwen2-vl-7b", "h")).along->role, role_of_side(Side::row));
    EXPECT_EQ(shown_encoding(along("wan-2.1", "f")).along->role, role_of_side(Side::frame));
}

}  // namespace
}  // namespace ropescope::figures
