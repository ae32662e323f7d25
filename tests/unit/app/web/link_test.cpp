#include "app/web/link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/scene/settings.h"
#include "core/base/error.h"

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

TEST(Link, KnowsTheWordsOfThePageItself) {
    const Linked linked = read_link("view=decay&embed=1&lesson=decay&theme=light");
    EXPECT_TRUE(linked.embedded);
    EXPECT_EQ(linked.lesson, "decay");
    EXPECT_EQ(linked.theme, "light");
    EXPECT_EQ(linked.scene.view, "decay");
    EXPECT_FALSE(read_link("embed=0").embedded);
}

TEST(Link, RefusesWhatNamesNothing) {
    for (const char* link :
         {"view=nothing", "bass=3", "base=fast", "lesson=nothing", "theme=pink"}) {
        EXPECT_THROW(read_link(link), InputError) << link;
    }
}

}  // namespace
}  // namespace ropescope::web
