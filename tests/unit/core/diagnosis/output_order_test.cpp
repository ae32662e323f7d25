// The two channels of a pair that come out in the other order, as of cat((y2, y1)).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/diagnosis/expectation.h"
#include "core/faults/codes.h"
#include "tests/unit/core/diagnosis/planted_code.h"

namespace ropescope::diagnosis {
namespace {

using ::testing::HasSubstr;

Code exchanged_halves() {
    return {.rule = [](const Channel& c) {
        return c.partner * c.cos + (c.first ? c.x : -c.x) * c.sin;
    }};
}

TEST(OutputOrder, ExchangedHalvesOfBothSidesLeaveTheScoresAsTheyAre) {
    const Diagnosis found = diagnosed(exchanged_halves());
    EXPECT_EQ(found.verdict, Verdict::equivalent) << found.summary;
    ASSERT_FALSE(found.findings.empty());
    EXPECT_EQ(found.findings.front().code, faults::kLayoutOther);
    EXPECT_THAT(found.findings.front().text, HasSubstr("(0, 16) comes out as channels 16 and 0"));
    ASSERT_TRUE(found.base);
    EXPECT_NEAR(*found.base, 1e4, 1.0);
}

TEST(OutputOrder, OnOneSideTheyAreAFault) {
    const Diagnosis found = diagnosed(exchanged_halves(), Code{});
    EXPECT_EQ(found.verdict, Verdict::invalid) << found.summary;
    EXPECT_EQ(found.findings.front().code, faults::kLayoutOther);
    EXPECT_EQ(found.findings.front().where, "q");
}

/// One head turns and is mirrored at once by some angle at every token, so that nobody can tell.
TEST(OutputOrder, OneHeadDoesNotShowTheOrder) {
    Code one = exchanged_halves();
    one.heads = one.key_heads = 1;
    const Diagnosis found = diagnosed(one);
    EXPECT_NE(found.verdict, Verdict::valid) << found.summary;
}

}  // namespace
}  // namespace ropescope::diagnosis
