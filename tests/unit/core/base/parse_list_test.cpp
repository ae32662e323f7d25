// Numbers as people type them: decimal ones are read, and what others read otherwise is refused.
#include "core/base/parse_list.h"

#include <cstdint>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ropescope {
namespace {

using ::testing::HasSubstr;

TEST(ParseNumber, ReadsDecimalNumbers) {
    EXPECT_EQ(parse_number<std::int64_t>("0"), 0);
    EXPECT_EQ(parse_number<std::int64_t>("-12"), -12);
    EXPECT_EQ(parse_number<double>("0.5"), 0.5);
    EXPECT_EQ(parse_number<double>(".5"), 0.5);
    EXPECT_EQ(parse_number<double>("1e+07"), 1e7);
    EXPECT_EQ(parse_number<double>("0e5"), 0.0);
    EXPECT_EQ(parse_number<double>("5e-324"), 5e-324) << "the smallest of 64 bits";
}

TEST(ParseNumber, RefusesEverythingElse) {
    for (const char* text : {"", "08", "-08", "00", "0x10", "0b1", "+8", "+-8", " 8", "8 ", "8\t",
                             "1_000", "1,000", "1e", "8x", "99999999999999999999"}) {
        EXPECT_FALSE(parse_number<std::int64_t>(text)) << text;
    }
    for (const char* text : {"", "08", "00.5", "+0.5", " 1", "1 ", "inf", "nan", "1e400", "1e-400",
                             "-1e-400", "0x1p3", "1_0.5"}) {
        EXPECT_FALSE(parse_number<double>(text)) << text;
    }
}

TEST(Misread, SaysWhatOthersReadOtherwise) {
    for (const char* text : {"08", "-012", "0x10", "0b11", "00", "00.5"}) {
        EXPECT_THAT(misread(text), HasSubstr("may be a number of another base")) << text;
    }
    EXPECT_EQ(misread(" 8"), "' 8' has a space around it; leave it out");
    EXPECT_EQ(misread("+8"), "'+8' has a + in front; leave it out");
    EXPECT_THAT(misread("1e-400"), HasSubstr("'1e-400' is too small for a number of 64 bits"));
    EXPECT_THAT(misread("-1e-400"), HasSubstr("is too small"));
    EXPECT_THAT(misread("1e400"), HasSubstr("'1e400' is too large for a number of 64 bits"));
    for (const char* text : {"", "8", "0", "0.5", "0e5", "-0", "abc", "1_000", "x8"}) {
        EXPECT_EQ(misread(text), "") << text;
    }
    EXPECT_THAT(misread({"1", "02", "+3"}), HasSubstr("'02' may be"));
}

TEST(Split, TrimsBetweenCommasAlone) {
    EXPECT_THAT(split_list("a, b ,"), testing::ElementsAre("a", "b", ""));
    EXPECT_THAT(split("800 x 600", 'x'), testing::ElementsAre("800 ", " 600"));
    EXPECT_THAT(split("", ':'), testing::ElementsAre(""));
}

}  // namespace
}  // namespace ropescope
