#include "core/positions/layout_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/input_error.h"

namespace ropescope {
namespace {

using ::testing::HasSubstr;

constexpr MultimodalRule kQwen2Text = {.family = MultimodalFamily::qwen2_vl};

TEST(LayoutText, ReadsPartsInOrder) {
    const TokenLayout layout =
        parse_layout_text("text 4, image 4x6 ,video 3x2x4 0.5s, decode 2", kQwen2Text);
    ASSERT_EQ(layout.rows.size(), 1U);
    ASSERT_EQ(layout.rows[0].size(), 3U);
    EXPECT_EQ(layout.rows[0][0].text, 4);
    EXPECT_EQ(layout.rows[0][1].grid, (PatchGrid{1, 4, 6}));
    EXPECT_EQ(layout.rows[0][2].kind, SegmentKind::video);
    EXPECT_EQ(layout.rows[0][2].grid, (PatchGrid{3, 2, 4}));
    EXPECT_EQ(layout.rows[0][2].second_per_grid, 0.5);
    EXPECT_EQ(layout.decode_steps, 2);
    EXPECT_FALSE(layout.packed);
}

TEST(LayoutText, DocumentsArePackedAndPaddingIsABatch) {
    EXPECT_TRUE(parse_layout_text("text 1 | text 2", kQwen2Text).packed);
    const TokenLayout left = parse_layout_text("padding 3, text 2, image 2x4", kQwen2Text);
    EXPECT_EQ(left.padding, Padding::left);
    EXPECT_EQ(left.rows.at(1).at(0).text, 3 + 2 + 2);
    EXPECT_EQ(parse_layout_text("text 2, padding 1, decode 1", kQwen2Text).padding, Padding::right);
}

TEST(LayoutText, PaddingFillsARowOfDocumentsUp) {
    const TokenLayout left = parse_layout_text("padding 2, text 1 | text 2", kQwen2Text);
    EXPECT_EQ(left.padding, Padding::left);
    EXPECT_EQ(left.filled_length, 5);
    EXPECT_EQ(left.rows.size(), 2U);
    EXPECT_EQ(parse_layout_text("text 1 | text 2, padding 1", kQwen2Text).padding, Padding::right);
}

TEST(LayoutText, APartOfTheTokensMayBeMeant) {
    const TokenLayout chunk = parse_layout_text("text 8, chunk 2 3", kQwen2Text);
    EXPECT_EQ(chunk.chunk->first, 2);
    EXPECT_EQ(chunk.chunk->count, 3);
    const TokenLayout rank = parse_layout_text("text 8, rank 1 of 2", kQwen2Text);
    EXPECT_EQ(rank.shards->size, 2);
    EXPECT_EQ(rank.shards->rank, 1);
    EXPECT_FALSE(parse_layout_text("text 8, ranks 2", kQwen2Text).shards->rank);
}

TEST(LayoutText, FamiliesOfSingleFramesGetTheFramesOfAVideo) {
    const TokenLayout layout =
        parse_layout_text("video 2x4x4", {.family = MultimodalFamily::qwen3_vl});
    ASSERT_EQ(layout.rows[0].size(), 4U);
    EXPECT_EQ(layout.rows[0][0].text, kStampTokens);
    EXPECT_EQ(layout.rows[0][1].kind, SegmentKind::frame);
}

TEST(LayoutText, RefusesWhatItCannotRead) {
    const auto refusal = [](const std::string& text) {
        return test::input_error([&] { parse_layout_text(text, kQwen2Text); });
    };
    EXPECT_THAT(refusal("text 4, imge 4x6"), HasSubstr("'imge 4x6' is not a part of a layout"));
    for (const char* part :
         {"", "text", "text -1", "text 1.5", "text 4x6", "image 6", "image 4x0", "image 1x2x3x4",
          "video 4x6", "video 2x4x6 s", "video 2x4x6 nans", "text 99999", "decode 0", "padding 0",
          "text 1 2", "text 1,,text 2", "text 2, padding 1, text 3", "decode 1, decode 1",
          "padding 1, padding 1, text 1"}) {
        EXPECT_THAT(refusal(part), HasSubstr("is not a part of a layout; give parts like")) << part;
    }
    EXPECT_THAT(refusal("text 1 | padding 1, text 2"), HasSubstr("not a part"));
    for (const char* part : {"chunk 1", "chunk 1 0", "rank 1 2", "ranks 0", "chunk 0 1, text 1",
                             "ranks 2, chunk 0 1", "rank 1 of x"}) {
        EXPECT_THAT(refusal("text 4, " + std::string(part)), HasSubstr("not a part")) << part;
    }
    EXPECT_THAT(refusal("text 0"), HasSubstr("0 tokens; give a layout of 1 to 4096"));
    EXPECT_THAT(refusal("text 4096, text 1"), HasSubstr("4097 tokens"));
    EXPECT_THAT(refusal("image 4096x4096, image 4096x4096"), HasSubstr("give a layout of 1 to"));
}

TEST(LayoutText, SoundCountsAsText) {
    const TokenLayout layout = parse_layout_text("text 2, audio 5", kQwen2Text);
    ASSERT_EQ(layout.rows[0].size(), 2U);
    EXPECT_EQ(layout.rows[0][1].kind, SegmentKind::text);
    EXPECT_EQ(layout.rows[0][1].text, 5);
}

}  // namespace
}  // namespace ropescope
