#include <gtest/gtest.h>
#include <string>

#include "core/base/names.h"

namespace ropescope {
namespace {

TEST(Glob, WithoutWildcardsIsEquality) {
    EXPECT_TRUE(glob_matches("rope.norm", "rope.norm"));
    EXPECT_FALSE(glob_matches("rope.norm", "rope.normal"));
    EXPECT_FALSE(glob_matches("rope.normal", "rope.norm"));
    EXPECT_FALSE(glob_matches("norm", "rope.norm"));
}

TEST(Glob, StarIsAnyRun) {
    EXPECT_TRUE(glob_matches("*", ""));
    EXPECT_TRUE(glob_matches("rope.*", "rope."));
    EXPECT_TRUE(glob_matches("rope.*", "rope.shift_invariance"));
    EXPECT_TRUE(glob_matches("*.s*e", "rope.shift_invariance"));
    EXPECT_FALSE(glob_matches("rope.*", "table.rotate"));
    EXPECT_FALSE(glob_matches("*.norm", "rope.norm2"));
}

TEST(Glob, StarTakesMoreWhenTheFirstFitIsTooShort) {
    EXPECT_TRUE(glob_matches("*ab", "aab"));
    EXPECT_TRUE(glob_matches("a*b*c", "abbcbc"));
    EXPECT_FALSE(glob_matches("a*b*c", "abbcb"));
}

TEST(Glob, QuestionMarkIsExactlyOne) {
    EXPECT_TRUE(glob_matches("r?pe.norm", "rope.norm"));
    EXPECT_FALSE(glob_matches("rope.norm?", "rope.norm"));
    EXPECT_FALSE(glob_matches("?", ""));
}

TEST(Glob, ManyStarsStayFast) {
    // Exponential for a matcher that backtracks into every star.
    const std::string text(5000, 'a');
    EXPECT_FALSE(glob_matches("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", text));
}

}  // namespace
}  // namespace ropescope
