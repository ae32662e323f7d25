#include "app/web/link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/scene/settings.h"

namespace ropescope::web {
namespace {

using ::testing::HasSubstr;

TEST(Link, OfTheDefaultSceneNamesTheViewAlone) {
    EXPECT_EQ(link_of(Scene()), "view=rotation");
}

TEST(Link, CarriesTheWholeSceneAndLeadsBack) {
    const Scene scene = apply_settings(Scene(), {"view=attention", "base=500000", "pairs=1,2,3",
                                                 "attention_text=a & b = 100 % é"});
    const std::string link = link_of(scene);
    EXPECT_THAT(link, HasSubstr("&base=500000"));
    EXPECT_EQ(link.find(' '), std::string::npos) << link;
    EXPECT_EQ(read_link(link).scene, scene) << link;
}

TEST(Link, CarriesLessonAndThemeWhereTheyAreNotTheUsualOnes) {
    Linked linked;
    linked.lesson = "decay";
    linked.theme = "light";
    EXPECT_EQ(link_of(linked), "view=rotation&lesson=decay&theme=light");
    const Linked back = read_link(link_of(linked));
    EXPECT_EQ(back.lesson, linked.lesson);
    EXPECT_EQ(back.theme, linked.theme);
}

TEST(Link, ReadsWhatIsNotEncoded) {
    EXPECT_EQ(read_link("view=scores&attention_text=50% off").scene.attention_text, "50% off");
    EXPECT_EQ(read_link("").scene, Scene());
}

TEST(Link, SurvivesTheProgramsThatItGoesThrough) {
    for (const char* link : {"view=spectrum&amp;base=40000", "view=spectrum&amp;amp;base=40000",
                             "##view=spectrum&base=40000", "#?view=spectrum&base=40000",
                             "view%3Dspectrum%26base%3D40000"}) {
        const Linked linked = read_link(link);
        EXPECT_EQ(linked.scene.view, "spectrum") << link;
        EXPECT_EQ(linked.scene.base, 40000) << link;
        EXPECT_TRUE(linked.left_out.empty()) << link;
    }
    EXPECT_TRUE(read_link("#").left_out.empty());
}

TEST(Link, KnowsTheWordsOfThePageItself) {
    const Linked linked = read_link("view=decay&embed=1&lesson=decay&theme=light");
    EXPECT_TRUE(linked.embedded);
    EXPECT_EQ(linked.lesson, "decay");
    EXPECT_EQ(linked.theme, "light");
    EXPECT_EQ(linked.scene.view, "decay");
    EXPECT_FALSE(read_link("embed=0").embedded);
}

TEST(Link, LeavesOutWhatNamesNothingAndTakesTheRest) {
    for (const char* wrong :
         {"view=nothing", "bass=3", "base=fast", "lesson=nothing", "theme=pink", "utm_source=x",
          "lesson=decay&step=99", "model=/your%20files/config.json/config.json"}) {
        const Linked linked = read_link(std::string("query_position=7&") + wrong + "&head_dim=64");
        ASSERT_EQ(linked.left_out.size(), 1U) << wrong;
        EXPECT_NE(linked.left_out.front(), "");
        EXPECT_EQ(linked.scene.query_position, 7) << wrong;
        EXPECT_EQ(linked.scene.head_dim, 64) << wrong;
    }
    EXPECT_THAT(read_link("view=decay&utm_source=x").left_out.front(), HasSubstr("utm_source"));
    EXPECT_EQ(read_link("%00%FF").left_out.front().find('\0'), std::string::npos);
}

/// Values that each parameter allows, but not beside each other.
TEST(Link, LeavesOutWhatCannotBeAndTakesTheRest) {
    for (const char* wrong : {"head_dim=7", "rotary_dim=130", "pairs=64", "selected_pair=64",
                              "first_position=1048576"}) {
        const Linked linked = read_link(std::string("view=decay&") + wrong + "&base=500000");
        ASSERT_EQ(linked.left_out.size(), 1U) << wrong;
        EXPECT_NO_THROW(validate(linked.scene)) << wrong;
        EXPECT_EQ(linked.scene.view, "decay") << wrong;
        EXPECT_EQ(linked.scene.base, 500000) << wrong;
    }
    EXPECT_THAT(read_link("head_dim=7").left_out.front(), HasSubstr("not an even number"));
    const Linked late = read_link("bass=3&rotary_dim=130&head_dim=130");
    EXPECT_EQ(late.scene.rotary_dim, 130) << "it needs the value behind it";
    EXPECT_THAT(late.left_out, testing::ElementsAre(HasSubstr("bass")));
}

TEST(Link, EndsBeforeTheSignsOfASentence) {
    for (const char* signs : {")", ".", ").", "\"", "!)"}) {
        const Linked linked = read_link(std::string("view=decay&base=500000") + signs);
        EXPECT_EQ(linked.left_out, std::vector<std::string>()) << signs;
        EXPECT_EQ(linked.scene.base, 500000) << signs;
    }
    EXPECT_EQ(read_link("attention_text=a.").scene.attention_text, "a.") << "a text has its own";
}

TEST(Link, IsNotReadWithoutEnd) {
    std::string words = "base=5";
    for (int i = 0; i < kMostLinkWords; ++i) {
        words += "&base=7";
    }
    const Linked many = read_link(words);
    EXPECT_THAT(many.left_out, testing::ElementsAre(HasSubstr("1025 words; at most 1024")));
    EXPECT_EQ(many.scene, Scene());
    EXPECT_THAT(read_link("attention_text=" + std::string(std::size_t{1} << 20, 'a')).left_out,
                testing::ElementsAre(HasSubstr("bytes; at most 1048576")));
    // Each sign takes another look at the whole link, so that no more than eight do.
    EXPECT_EQ(read_link("view=decay" + std::string(8, '.')).left_out.size(), 0U);
    EXPECT_EQ(read_link("view=decay" + std::string(9, '.')).left_out.size(), 1U);
    EXPECT_EQ(read_link("nothing" + std::string(100'000, '.')).left_out.size(), 1U);
}

TEST(Link, LeadsToAStepOfALesson) {
    const Linked linked = read_link("view=decay&lesson=decay&step=3");
    EXPECT_EQ(linked.step, 3U);
    EXPECT_THAT(link_of(linked), HasSubstr("&lesson=decay&step=3"));
    EXPECT_EQ(read_link("step=3").step, 0U) << "of no lesson";
    EXPECT_EQ(read_link("step=3").left_out.size(), 1U);
    EXPECT_EQ(read_link("lesson=decai&step=3").left_out.size(), 1U);
}

}  // namespace
}  // namespace ropescope::web
