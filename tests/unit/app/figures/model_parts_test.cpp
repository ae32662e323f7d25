// The model view of models that turn in several axes, and what the other views say about them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/scene/settings.h"
#include "tests/support/input_error.h"
#include "tests/unit/app/figures/figure_parts.h"

namespace ropescope::figures {
namespace {

using test::input_error;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ModelParts, AreListedWithTheirAxesAndSections) {
    const Scene scene = apply_settings({}, {"model=qwen2-vl-7b"});
    EXPECT_EQ(scene.axes_model, "qwen2-vl-7b");
    EXPECT_THAT(figure_of(scene, "model").report,
                AllOf(HasSubstr("text part: 3 axes, pairs 16 by t, 24 by h, 24 by w"),
                      HasSubstr("vision part: 2 axes, pairs 20 by h, 20 by w")));
    EXPECT_THAT(figure_of({}, "model").report, Not(HasSubstr("part: ")));
}

TEST(ModelParts, ViewsOfOneAxisSayThatTheyShowText) {
    const Scene scene = apply_settings({}, {"model=qwen3-vl-8b"});
    for (const std::string view : {"rotation", "spectrum", "table", "scores", "decay"}) {
        const plot::Figure figure = figure_of(scene, view);
        const char* text = view == "scores" || view == "decay" ? "For text: the view axes"
                                                               : "For text: choose an axis";
        EXPECT_THAT(figure.subtitle, HasSubstr(text));
        EXPECT_THAT(figure.report, HasSubstr(text));
        EXPECT_THAT(figure_of({}, view).subtitle, Not(HasSubstr("For text")));
    }
}

TEST(ModelParts, AModelOfSeveralAxesAloneIsRefusedWithTheViewThatShowsIt) {
    EXPECT_THAT(input_error([] { apply_settings({}, {"model=dinov3-vit-small"}); }),
                AllOf(HasSubstr("two axes"), HasSubstr("axes_model=dinov3-vit-small")));
    EXPECT_THAT(input_error([] { apply_settings({}, {"model=llama-9"}); }),
                Not(HasSubstr("view axes")));
}

}  // namespace
}  // namespace ropescope::figures
