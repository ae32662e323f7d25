#include "core/base/split_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ropescope {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SplitWords, AnyWhiteSpaceParts) {
    EXPECT_THAT(split_words("the cat"), ElementsAre("the", "cat"));
    EXPECT_THAT(split_words(" \t the\r\n\v\fcat\n"), ElementsAre("the", "cat"));
}

TEST(SplitWords, NothingElseParts) {
    EXPECT_THAT(split_words("a,b-c\u00a0d"), ElementsAre("a,b-c\u00a0d"));
}

TEST(SplitWords, WhiteSpaceHasNoWords) {
    EXPECT_THAT(split_words(""), IsEmpty());
    EXPECT_THAT(split_words(" \n "), IsEmpty());
}

}  // namespace
}  // namespace ropescope
