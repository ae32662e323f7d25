#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/figures/shared/shown_encoding.h"
#include "app/figures/view.h"
#include "app/scene/settings.h"
#include "core/positions/id_faults.h"
#include "tests/support/input_error.h"

namespace ropescope::figures {
namespace {

using ::testing::HasSubstr;

Picture positions_picture(const std::vector<std::string>& settings) {
    Scene scene = apply_settings({}, settings);
    scene.view = "positions";
    return make_picture(scene, *make_cpu_engine(1));
}

std::string refusal(const std::vector<std::string>& settings) {
    return test::input_error([&] { positions_picture(settings); });
}

TEST(PositionsView, ShowsWhereTwoVersionsPart) {
    const plot::Figure figure = positions_picture({}).figure;
    // 4 + 6 + 3 + 24 tokens come before the text behind the video.
    EXPECT_EQ(figure.title, "3 of 40 tokens have another id below, from token 37 on");
    ASSERT_EQ(figure.panels.size(), 3U);
    EXPECT_EQ(figure.panels[1].title, "transformers-5");
    EXPECT_EQ(figure.panels[2].title, "transformers-4");
    EXPECT_THAT(figure.report, HasSubstr("video 6 × 4 × 4"));
    EXPECT_THAT(figure.report, HasSubstr("-4"));  // 10 + 2, and time has been at 15
}

TEST(PositionsView, ShowsEveryFaultOrSaysWhatItTakes) {
    for (const std::string& choice : parameter_by_name("positions_compare").choices) {
        const plot::Figure figure = positions_picture({"positions_compare=" + choice}).figure;
        const IdFault* fault = find_id_fault(choice);
        if (fault == nullptr) {
            continue;
        }
        if (figure.panels.size() == 2) {
            EXPECT_EQ(figure.title, "This layout does not show " + choice);
            EXPECT_THAT(figure.subtitle, HasSubstr(fault->shown_by));
        } else {
            EXPECT_THAT(figure.title, HasSubstr("another id below"));
            EXPECT_EQ(figure.panels[2].title, choice);
        }
    }
}

TEST(PositionsView, PaddingAndDecodeStepsAreNotCountedAsText) {
    const Picture shown = positions_picture(
        {"positions_layout=padding 2, text 3, decode 2", "positions_compare=ids.padding_counted"});
    EXPECT_EQ(shown.figure.title, "5 of 5 tokens have another id below, from token 2 on");
    const auto readouts = shown.readouts_at("right", {0, 0});
    EXPECT_EQ(readouts.size(), 3U);
    EXPECT_EQ(readouts[1].value, "padding");
    EXPECT_EQ(shown.readouts_at("right", {5, 0})[1].value, "decode");
}

TEST(PositionsView, ShowsAPartOfTheTokens) {
    const plot::Figure chunk =
        positions_picture({"positions_layout=text 4, image 4x8, text 6, chunk 12 6",
                           "positions_compare=ids.chunk_restart"})
            .figure;
    EXPECT_EQ(chunk.title, "6 of 6 tokens have another id below, from token 0 on");
    const plot::Figure ranks = positions_picture({"positions_layout=text 8, ranks 2",
                                                  "positions_compare=ids.shards_order"})
                                   .figure;
    EXPECT_THAT(ranks.title, HasSubstr("of 8 tokens have another id below"));
}

TEST(PositionsView, AClickOnAPatchOpensItInTheViewAxes) {
    const Picture shown = positions_picture({"positions_layout=text 2, video 3x4x8, text 1"});
    const Scene before = apply_settings({}, {"view=positions"});
    const Scene after = shown.scene_after_click(before, "right", {2 + 8 + 4 + 3, 0});
    EXPECT_EQ(after.view, "axes");
    EXPECT_EQ(after.axes_grid, "3x2x4");
    EXPECT_EQ(after.axes_frame, 1);
    EXPECT_EQ(after.axes_row, 1);
    EXPECT_EQ(after.axes_column, 3);
    EXPECT_EQ(shown.scene_after_click(before, "right", {0, 0}), before);
}

TEST(PositionsView, TheAxesHaveTheColoursOfTheViewAxes) {
    const plot::Figure figure = positions_picture({}).figure;
    ASSERT_GE(figure.legend.size(), 3U);
    EXPECT_EQ(figure.legend[0].role, role_of_side(Side::frame));
    EXPECT_EQ(figure.legend[1].role, role_of_side(Side::row));
    EXPECT_EQ(figure.legend[2].role, role_of_side(Side::column));
}

TEST(PositionsView, RefusesALayoutInOneLine) {
    // By any view: a setting that nothing reads is refused, too.
    EXPECT_THAT(test::input_error([] { apply_settings({}, {"positions_layout=banana"}); }),
                HasSubstr("positions_layout: 'banana' is not a part of a layout"));
    EXPECT_THAT(test::input_error([] { apply_settings({}, {"axes_grid=banana"}); }),
                HasSubstr("axes_grid: 'banana' is not a grid"));
    EXPECT_THAT(refusal({"positions_layout=text 4, imge 4x6"}),
                HasSubstr("positions_layout: 'imge 4x6' is not a part of a layout"));
    EXPECT_THAT(refusal({"positions_layout=image 3x6"}),
                HasSubstr("positions_layout: rows[0][0]: a grid of 1 x 3 x 6"));
    EXPECT_THAT(refusal({"positions_family=qwen"}), HasSubstr("positions_family: 'qwen' is not"));
}

}  // namespace
}  // namespace ropescope::figures
