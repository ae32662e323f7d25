// The search that names looks at some of the tokens of a large dump, and the verdict at all of
// them.
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/faults/codes.h"
#include "tests/unit/core/diagnosis/expected_implementation.h"

namespace ropescope::diagnosis {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Property;

constexpr RopeSpec kNarrow{.head_dim = 32, .rotary_dim = 32, .base = 10000.0};

/// 64 heads of 32 channels fill what is looked at head by head with 1024 tokens.
test::Implementation with_a_late_head(Index from) {
    test::Implementation made = implementation_of(kNarrow, 1100);
    made.heads = 64;
    made.key_heads = 1;
    made.turned_by = [=](const test::At& at, double stated) {
        return stated + (!at.key && at.h == 7 && at.l >= from ? 1.0 : 0.0);
    };
    return made;
}

TEST(LargeDump, HeadsThatTurnOtherwiseAmongTheFirstTokensAreNamed) {
    const Diagnosis found = diagnose(dump_of(with_a_late_head(0)));
    EXPECT_EQ(found.verdict, Verdict::invalid) << found.summary();
    EXPECT_EQ(found.heads.size(), 2U);
}

TEST(LargeDump, HeadsThatTurnOtherwiseLaterAreAFaultWithItsPlace) {
    const Diagnosis found = diagnose(dump_of(with_a_late_head(1090)));
    EXPECT_EQ(found.verdict, Verdict::invalid);
    EXPECT_THAT(found.findings,
                Contains(AllOf(Field(&Finding::code, faults::code("not_a_rotation")),
                               Property(&Finding::text, HasSubstr("at token 1090 they do not")))));
    ASSERT_EQ(found.unexplained.size(), 1U);
    EXPECT_THAT(found.unexplained.front().heads, ElementsAre(7));
    EXPECT_EQ(found.unexplained.front().tokens.front(), 1090);
    EXPECT_EQ(found.unexplained.front().tokens.size(), 10U);
}

/// More tokens at other positions than are searched for: the first of them gives the name. The
/// first 200 stand where they are stated, so that the direction is sure.
TEST(LargeDump, TokensInAnotherOrderAreNamed) {
    test::Implementation made = implementation_of(kNarrow, 700);
    made.turned_by = [](const test::At&, double stated) {
        return stated < 200.0 ? stated : std::fmod(17.0 * stated * stated + 5.0, 701.0);
    };
    const Diagnosis found = diagnose(dump_of(made));
    EXPECT_EQ(found.verdict, Verdict::invalid);
    EXPECT_THAT(found.findings,
                Contains(AllOf(Field(&Finding::code, faults::code("positions.per_row")),
                               Property(&Finding::text, HasSubstr("as position 35, not as 200")))));
    ASSERT_FALSE(found.positions.empty());
    EXPECT_EQ(found.positions.front()[200], 35.0);
    EXPECT_TRUE(std::isnan(found.positions.front().back()));  // was not looked at
}

}  // namespace
}  // namespace ropescope::diagnosis
