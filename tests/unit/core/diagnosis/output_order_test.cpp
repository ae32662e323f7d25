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
    EXPECT_EQ(found.verdict, Verdict::equivalent) << found.summary();
    ASSERT_FALSE(found.findings.empty());
    EXPECT_EQ(found.findings.front().code, faults::code("layout.other"));
    EXPECT_THAT(found.findings.front().text(), HasSubstr("(0, 16) comes out as channels 16 and 0"));
    ASSERT_TRUE(found.base);
    EXPECT_NEAR(*found.base, 1e4, 1.0);
}

TEST(OutputOrder, OnOneSideTheyAreAFault) {
    const Diagnosis found = diagnosed(exchanged_halves(), Code{});
    EXPECT_EQ(found.verdict, Verdict::invalid) << found.summary();
    EXPECT_EQ(found.findings.front().code, faults::code("layout.other"));
    EXPECT_EQ(found.findings.front().where(), "q");
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
        EXPECT_EQ(found.verdict, Verdict::equivalent) << found.summary();
        EXPECT_THAT(found.findings.front().text(), HasSubstr("Channels are permuted"));
    }
}

TEST(OutputOrder, ExchangedHeadsAreNamed) {
    const Diagnosis found = diagnosed_after(Code{}, [](std::span<float> rows, Index, Index heads) {
        const std::size_t head = rows.size() / heads;
        std::ranges::swap_ranges(rows.first(head), rows.last(head));
    });
    EXPECT_EQ(found.verdict, Verdict::invalid) << found.summary();
    EXPECT_THAT(found.findings.front().text(),
                HasSubstr("The heads of q come out in another order: head 0 of q_rot has the "
                          "lengths of head 3 of q."));
}

/// [heads, tokens] read as [tokens, heads], or the reverse.
void reshape(std::span<float> rows, Index width, Index heads, bool back) {
    const std::vector<float> old(rows.begin(), rows.end());
    const Index tokens = std::ssize(rows) / (width * heads);
    for (Index h = 0; h < heads; ++h) {
        for (Index t = 0; t < tokens; ++t) {
            const Index one = h * tokens + t, other = t * heads + h;
            std::copy_n(old.begin() + (back ? one : other) * width, width,
                        rows.begin() + (back ? other : one) * width);
        }
    }
}

TEST(OutputOrder, AReshapeInPlaceOfATransposeIsNamed) {
    for (const bool back : {false, true}) {
        const Diagnosis found =
            diagnosed_after(Code{}, [=](std::span<float> rows, Index width, Index heads) {
                reshape(rows, width, heads, back);
            });
        EXPECT_EQ(found.verdict, Verdict::invalid) << found.summary();
        EXPECT_THAT(found.findings.front().text(),
                    HasSubstr("as a reshape does where a transpose is meant: head 0, token 1"));
    }
}

TEST(OutputOrder, MovedTokensAreNamed) {
    const auto moved = [](const auto& move) {
        return diagnosed_after(Code{},
                               [&](std::span<float> rows, Index width, Index heads) {
                                   for (Index h = 0; h < heads; ++h) {
                                       move(rows.subspan(h * kLength * width, kLength * width),
                                            width);
                                   }
                               })
            .findings.front()
            .text();
    };
    const auto shift = [](std::span<float> head, Index width) {
        std::ranges::rotate(head, head.begin() + width);
    };
    EXPECT_THAT(moved(shift), HasSubstr("the tokens are shifted by one: head 0, token 0 of q_rot "
                                        "has the length of head 0, token 1 of q"));
    const auto reverse = [](std::span<float> head, Index width) {
        for (Index t = 0; t < kLength / 2; ++t) {
            std::ranges::swap_ranges(head.subspan(t * width, width),
                                     head.subspan((kLength - 1 - t) * width, width));
        }
    };
    EXPECT_THAT(moved(reverse), HasSubstr("the tokens are reversed"));
}

/// One rotation over the channels of all heads, which are split behind it.
TEST(OutputOrder, ARotationBeforeTheHeadsAreSplitIsNamed) {
    const Code joined{.head_dim = 128, .rotary_dim = 128, .heads = 1, .key_heads = 1};
    const auto x = test::Random(5).normal<float>(kLength * 128);
    const std::vector<float> y = turned(joined, x, 1);
    const auto split = [](const std::vector<float>& flat) {
        std::vector<float> heads(flat.size());
        for (Index t = 0; t < kLength; ++t) {
            for (Index h = 0; h < 4; ++h) {
                std::copy_n(flat.begin() + t * 128 + h * 32, 32,
                            heads.begin() + (h * kLength + t) * 32);
            }
        }
        return heads;
    };
    const std::vector<float> before = split(x), after = split(y);
    const std::vector<std::int64_t> sizes = {1, 4, kLength, 32};
    const Tensor q = make_tensor("q", sizes, std::span<const float>(before));
    const Tensor q_rot = make_tensor("q_rot", sizes, std::span<const float>(after));
    const std::vector<TensorBytes> views = {q.view(), q_rot.view()};
    const Diagnosis found = diagnose(make_dump(views, nullptr, "test", {.axes = "bhld"}));
    EXPECT_EQ(found.verdict, Verdict::invalid) << found.summary();
    EXPECT_EQ(found.findings.front().text(),
              "Channels of head 0 of q turn with those of head 2: it was rotated before its heads "
              "were split.");
}

/// DeepSeek in transformers: interleaved pairs come out as halves, behind channels that never turn.
TEST(OutputOrder, HalvesBehindChannelsThatNeverTurnAreEquivalent) {
    const auto to_halves = [](std::span<float> rows, Index width, Index) {
        for (std::size_t at = 0; at < rows.size(); at += width) {
            const std::span<float> part = rows.subspan(at + 32, 32);
            const std::vector<float> old(part.begin(), part.end());
            for (std::size_t i = 0; i < 16; ++i) {
                part[i] = old[2 * i];
                part[i + 16] = old[2 * i + 1];
            }
        }
    };
    const Diagnosis found = diagnosed_after({.partners = Layout::interleaved,
                                             .table = Layout::interleaved,
                                             .head_dim = 64,
                                             .rotary_dim = 32,
                                             .first_channel = 32},
                                            to_halves);
    EXPECT_EQ(found.verdict, Verdict::equivalent) << found.summary();
    EXPECT_THAT(found.findings.front().text(),
                HasSubstr("the pair (32, 33) comes out as channels 32 and 48"));
}

TEST(OutputOrder, AChannelThatLosesItsSignIsNamed) {
    const Diagnosis found = diagnosed_after(Code{}, [](std::span<float> rows, Index width, Index) {
        for (std::size_t at = 5; at < rows.size(); at += width) {
            rows[at] = -rows[at];
        }
    });
    EXPECT_EQ(found.verdict, Verdict::invalid) << found.summary();
    EXPECT_THAT(found.findings.front().text(), HasSubstr("Pair 5 of q does not turn"));
    EXPECT_THAT(found.findings.front().text(), HasSubstr("channels 5 and 21"));
}

/// One head turns and is mirrored at once by some angle at every token, so that nobody can tell.
TEST(OutputOrder, OneHeadDoesNotShowTheOrder) {
    Code one = exchanged_halves();
    one.heads = one.key_heads = 1;
    const Diagnosis found = diagnosed(one);
    EXPECT_NE(found.verdict, Verdict::valid) << found.summary();
}

}  // namespace
}  // namespace ropescope::diagnosis
