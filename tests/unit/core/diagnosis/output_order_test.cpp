// The two channels of a pair that come out in the other order, as of cat((y2, y1)).
#include <algorithm>
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

/// All channels the other way round, on both sides: scores do not see it.
TEST(OutputOrder, FlippedChannelsAreAnOrderToo) {
    for (const Layout layout : {Layout::half_split, Layout::interleaved}) {
        const Diagnosis found =
            diagnosed_after(Code{.partners = layout, .table = layout},
                            [](std::span<float> rows, Index width, Index) {
                                for (std::size_t at = 0; at < rows.size(); at += width) {
                                    std::ranges::reverse(rows.subspan(at, width));
                                }
                            });
        EXPECT_EQ(found.verdict, Verdict::equivalent) << found.summary;
        EXPECT_THAT(found.findings.front().text, HasSubstr("Channels are permuted"));
    }
}

TEST(OutputOrder, ExchangedHeadsAreNamed) {
    const Diagnosis found = diagnosed_after(Code{}, [](std::span<float> rows, Index, Index heads) {
        const std::size_t head = rows.size() / heads;
        std::ranges::swap_ranges(rows.first(head), rows.last(head));
    });
    EXPECT_EQ(found.verdict, Verdict::invalid) << found.summary;
    EXPECT_THAT(found.findings.front().text,
                HasSubstr("The heads of q come out in another order: head 0 of q_rot has the "
                          "lengths of head 3 of q."));
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
