// Heads whose first channels never change, as where channels without position come first.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <utility>

#include "core/diagnosis/expectation.h"
#include "core/faults/codes.h"
#include "tests/unit/core/diagnosis/planted_code.h"

namespace ropescope::diagnosis {
namespace {

using ::testing::HasSubstr;

Code joined(Layout layout, Index first_channel, Index head_dim) {
    return {.partners = layout,
            .table = layout,
            .head_dim = head_dim,
            .rotary_dim = 32,
            .first_channel = first_channel};
}

TEST(FirstChannel, MayBeAnyOne) {
    for (const Layout layout : {Layout::half_split, Layout::interleaved}) {
        for (const auto& [first, head_dim] : {std::pair{64, 96}, {32, 64}, {8, 48}, {3, 35}}) {
            const Diagnosis found = diagnosed(joined(layout, first, head_dim));
            EXPECT_EQ(found.verdict, Verdict::valid) << first << ": " << found.summary();
            EXPECT_EQ(found.layout, to_string(layout));
            EXPECT_EQ(found.rotary_dim, 32);
            EXPECT_EQ(found.base, 10000.0);
            EXPECT_THAT(found.findings,
                        testing::Contains(testing::Property(
                            &Finding::text, HasSubstr(fmt::format("Channels {} to {} of {} turn",
                                                                  first, first + 31, head_dim)))));
        }
    }
}

TEST(FirstChannel, DiffersBetweenQAndK) {
    const Diagnosis found =
        diagnosed(joined(Layout::half_split, 64, 96), joined(Layout::half_split, 0, 96));
    EXPECT_EQ(found.verdict, Verdict::invalid) << found.summary();
}

/// MLA keeps the part of the keys that turns in a tensor of its own; q has whole heads.
TEST(FirstChannel, KeysMayHaveOnlyTheChannelsThatTurn) {
    for (const Layout layout : {Layout::half_split, Layout::interleaved}) {
        for (const Index first : {0, 64}) {
            const Diagnosis found = diagnosed(joined(layout, first, 96), joined(layout, 0, 32));
            EXPECT_EQ(found.verdict, Verdict::valid) << first << ": " << found.summary();
            for (const Finding& finding : found.findings) {
                if (finding.text().starts_with("Channels")) {
                    EXPECT_NE(finding.place.sides, Side::q | Side::k) << finding.text();
                }
            }
        }
        // Keys with channels that stay are heads of another model.
        EXPECT_EQ(diagnosed(joined(layout, 64, 96), joined(layout, 0, 48)).verdict,
                  Verdict::invalid);
    }
    const Diagnosis apart =
        diagnosed(joined(Layout::interleaved, 64, 96), joined(Layout::half_split, 0, 32));
    EXPECT_EQ(apart.verdict, Verdict::invalid) << apart.summary();
    EXPECT_THAT(apart.summary(), HasSubstr("k has another layout"));
}

TEST(FirstChannel, IsHeldToTheModel) {
    const auto of_head_dim = [](int head_dim) {
        return parse_expectation(
            fmt::format(R"({{"model_type": "gpt_neox", "hidden_size": {}, "num_attention_heads": 4,
                            "rotary_pct": {}, "rotary_emb_base": 10000,
                            "max_position_embeddings": 2048}})",
                        4 * head_dim, 32.0 / head_dim),
            "config.json");
    };
    // The configuration of the whole head wants its first channels turned.
    const Expectation whole = of_head_dim(64);
    EXPECT_TRUE(diagnosed_with(joined(Layout::half_split, 0, 64), whole).mismatches.empty());
    const Diagnosis wrong = diagnosed_with(joined(Layout::half_split, 32, 64), whole);
    ASSERT_EQ(wrong.mismatches.size(), 1U) << wrong.summary();
    EXPECT_EQ(wrong.mismatches.front().text(), "the first channel that turns is 32, expected 0");
    // That of the part which turns does not speak of the rest.
    EXPECT_TRUE(
        diagnosed_with(joined(Layout::half_split, 64, 96), of_head_dim(32)).mismatches.empty());
}

}  // namespace
}  // namespace ropescope::diagnosis
