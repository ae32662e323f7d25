#include "core/positions/multimodal_ids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/input_error.h"
#include "tests/unit/core/positions/segments.h"

namespace ropescope {
namespace {

using test::image;
using test::input_error;
using test::kNewer;
using test::kOlder;
using test::text;
using test::video;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr MultimodalRule kQwen2 = {.family = MultimodalFamily::qwen2_vl};
constexpr MultimodalRule kQwen25 = {.family = MultimodalFamily::qwen2_5_vl,
                                    .tokens_per_second = 2.0};

std::vector<Index> axis(const MultimodalIds& ids, Index a, Index b = 0) {
    std::vector<Index> values;
    for (Index token = 0; token < ids.length; ++token) {
        values.push_back(ids.at(a, b, token));
    }
    return values;
}

TEST(MultimodalIds, ABlockGoesOutFromTheTextBeforeIt) {
    const MultimodalIds ids =
        multimodal_ids(kQwen2, kNewer, {.rows = {{text(2), image(4, 6), text(2)}}});
    EXPECT_THAT(axis(ids, 0), ElementsAre(0, 1, 2, 2, 2, 2, 2, 2, 5, 6));
    EXPECT_THAT(axis(ids, 1), ElementsAre(0, 1, 2, 2, 2, 3, 3, 3, 5, 6));
    EXPECT_THAT(axis(ids, 2), ElementsAre(0, 1, 2, 3, 4, 2, 3, 4, 5, 6));
    EXPECT_THAT(ids.deltas, ElementsAre(-3));
}

// A video of 3 frames, one token each: time reaches further than the sides.
TEST(MultimodalIds, TheVersionsDifferBehindALongVideo) {
    const TokenLayout layout{.rows = {{text(1), video(3, 2, 2), text(1)}}};
    EXPECT_THAT(axis(multimodal_ids(kQwen2, kOlder, layout), 0), ElementsAre(0, 1, 2, 3, 4));
    EXPECT_THAT(axis(multimodal_ids(kQwen2, kNewer, layout), 0), ElementsAre(0, 1, 2, 3, 2));
}

TEST(MultimodalIds, SecondsAreCutBeforeTheyAreMultiplied) {
    const auto time = [](double seconds) {
        return axis(multimodal_ids(kQwen25, kOlder, {.rows = {{video(3, 2, 2, seconds)}}}), 0);
    };
    EXPECT_THAT(time(0.5), ElementsAre(0, 0, 0));
    EXPECT_THAT(time(1.5), ElementsAre(0, 2, 4));
    EXPECT_THAT(time(2.0), ElementsAre(0, 4, 8));
}

// Origin: numpy, float32(float32(frame * seconds) * 25) cut to an integer, transcribed from
// get_rope_index of modeling_qwen2_5_omni.py (transformers, August 2026). In float, 5 frames of
// 0.48 seconds are a little less than 60 steps.
TEST(MultimodalIds, QwenOmniCutsTheProductOfEachFrameInFloat) {
    const MultimodalRule omni{.family = MultimodalFamily::qwen2_5_omni, .tokens_per_second = 25};
    const auto time = [&](double seconds) {
        return axis(multimodal_ids(omni, kNewer, {.rows = {{video(9, 2, 2, seconds)}}}), 0);
    };
    EXPECT_THAT(time(0.08), ElementsAre(0, 2, 4, 6, 8, 9, 12, 14, 16));
    EXPECT_THAT(time(0.48), ElementsAre(0, 12, 24, 36, 48, 59, 72, 84, 96));
    EXPECT_THAT(time(0.5), ElementsAre(0, 12, 25, 37, 50, 62, 75, 87, 100));
    EXPECT_THAT(time(1.4), ElementsAre(0, 35, 70, 104, 140, 175, 209, 245, 280));
    for (const PositionVersion version : {kOlder, kNewer}) {
        const MultimodalIds ids = multimodal_ids(
            omni, version, {.rows = {{text(4), video(2, 4, 4, 1.0), image(2, 4), text(1)}}});
        EXPECT_THAT(axis(ids, 0), ElementsAre(0, 1, 2, 3, 4, 4, 4, 4, 29, 29, 29, 29, 30, 30, 32));
        EXPECT_THAT(axis(ids, 2), ElementsAre(0, 1, 2, 3, 4, 5, 4, 5, 4, 5, 4, 5, 30, 31, 32));
    }
}

TEST(MultimodalIds, PaddingAndDeltasByVersion) {
    TokenLayout layout{.padding = Padding::left, .rows = {{text(3)}, {text(1)}}};
    MultimodalIds ids = multimodal_ids(kQwen2, kOlder, layout);
    EXPECT_THAT(axis(ids, 1, 1), ElementsAre(1, 1, 0));
    EXPECT_THAT(ids.deltas, ElementsAre(0, -2));
    layout.padding = Padding::right;
    ids = multimodal_ids(kQwen2, kNewer, layout);
    EXPECT_THAT(axis(ids, 1, 1), ElementsAre(0, 0, 0));
    EXPECT_THAT(ids.deltas, ElementsAre(0, 0));
}

TEST(MultimodalIds, ADecodeStepGoesOnBehindTheLargestId) {
    const TokenLayout layout{.rows = {{text(2), image(8, 4), text(3)}}};
    const MultimodalIds ids = multimodal_ids(kQwen2, kNewer, layout);
    const Index largest = *std::ranges::max_element(ids.ids);
    EXPECT_EQ(decode_id(ids.length, 0, ids.deltas[0]), largest + 1);
    EXPECT_EQ(decode_id(ids.length, 5, ids.deltas[0]), largest + 6);
}

TEST(MultimodalIds, PackedDocumentsBeginAgain) {
    const MultimodalIds ids =
        packed_ids(kQwen2, kNewer, {.rows = {{text(2)}, {image(2, 4), text(1)}, {text(2)}}});
    EXPECT_EQ(ids.batch, 1);
    EXPECT_THAT(axis(ids, 2), ElementsAre(0, 1, 0, 1, 2, 0, 1));
    EXPECT_EQ(decode_id(ids.length, 0, ids.deltas[0]), 2);
}

TEST(MultimodalIds, ChunksAndShardsKeepTheIdsOfTheirPlaces) {
    const MultimodalIds ids =
        multimodal_ids(kQwen2, kNewer, {.rows = {{text(2), image(4, 4), text(2)}}});
    EXPECT_THAT(axis(chunk_of(ids, 3, 3), 2), ElementsAre(3, 2, 3));
    EXPECT_EQ(chunk_of(ids, 3, 3).deltas, ids.deltas);
    EXPECT_THAT(axis(context_shard(ids, 0, 2), 2), ElementsAre(0, 1, 4, 5));
    EXPECT_THAT(axis(context_shard(ids, 1, 2), 2), ElementsAre(2, 3, 2, 3));
    EXPECT_THAT(input_error([&] { chunk_of(ids, 6, 3); }), HasSubstr("chunk: tokens 6 to 8 of 8"));
    EXPECT_THAT(input_error([&] { context_shard(ids, 2, 2); }), HasSubstr("rank 2 of 2"));
    EXPECT_THAT(input_error([&] { context_shard(ids, 0, 3); }),
                HasSubstr("a multiple of 6 tokens"));
}

TEST(MultimodalIds, RefusesWhatDoesNotFit) {
    const auto refusal = [](const MultimodalRule& rule, const TokenLayout& layout) {
        return input_error([&] { multimodal_ids(rule, kNewer, layout); });
    };
    EXPECT_THAT(refusal(kQwen2, {}), HasSubstr("rows: the layout has none"));
    EXPECT_THAT(refusal(kQwen2, {.rows = {{text(1)}, {text(1), image(4, 5)}}}),
                HasSubstr("rows[1][1]: a grid of 1 x 4 x 5; 2 x 2 patches become one token"));
    EXPECT_THAT(refusal(kQwen2, {.rows = {{image(0, 2)}}}),
                HasSubstr("rows[0][0]: 1 x 0 x 2; give frames, rows and columns"));
    EXPECT_THAT(refusal(kQwen2, {.rows = {{text(-1)}}}),
                HasSubstr("rows[0][0]: -1 tokens of text"));
    EXPECT_THAT(refusal(kQwen2, {.rows = {{text(2)}, {text(3)}}}),
                HasSubstr("rows[0]: 2 tokens, and another row has 3"));
    EXPECT_THAT(refusal(kQwen2, {.rows = {{text(2)}}, .length = 3}),
                HasSubstr("sequence_length: 3, and the longest row has 2"));
    EXPECT_THAT(refusal({.family = MultimodalFamily::qwen3_vl}, {.rows = {{video(2, 2, 2)}}}),
                HasSubstr("rows[0][0]: in qwen3_vl each frame of a video is a block"));
    EXPECT_THAT(refusal(kQwen25, {.rows = {{video(2, 2, 2, -1.0)}}}),
                HasSubstr("-1 seconds a grid"));
    EXPECT_THAT(refusal(kQwen25, {.rows = {{video(2, 2, 2, 1e18)}}}), HasSubstr("1e+18 seconds"));
}

}  // namespace
}  // namespace ropescope
