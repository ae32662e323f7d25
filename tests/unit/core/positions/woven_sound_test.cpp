// Sound that is woven into a video, images with numbers, and tokens that a cache keeps.
#include "core/positions/woven_sound.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/positions/id_faults.h"
#include "tests/support/input_error.h"
#include "tests/unit/core/positions/segments.h"

namespace ropescope {
namespace {

using test::image;
using test::input_error;
using test::kNewer;
using test::text;
using test::video;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

IdPlan omni_plan(MultimodalFamily family, std::vector<Segment> row) {
    return {.rule = {.family = family, .tokens_per_second = 25},
            .version = kNewer,
            .layout = {.rows = {std::move(row)}}};
}

Segment sounding(Segment segment, Index tokens) {
    segment.sound = tokens;
    return segment;
}

std::vector<Index> ids_along(const IdPlan& plan, Index axis) {
    const MultimodalIds ids = layout_ids(plan);
    std::vector<Index> along;
    for (Index token = 0; token < ids.length; ++token) {
        along.push_back(ids.at(axis, 0, token));
    }
    return along;
}

// Origin: get_rope_index of modeling_qwen2_5_omni.py and modeling_qwen3_omni_moe.py (transformers,
// August 2026), run with PyTorch. 600 random layouts, 314 of them with sound, were equal.
TEST(WovenSound, IsThatOfTheRealFunctions) {
    const std::vector<Segment> two = {text(1), sounding(video(2, 4, 2, 3.0), 4), text(1)};
    const IdPlan older = omni_plan(MultimodalFamily::qwen2_5_omni, two);
    EXPECT_THAT(ids_along(older, 0), ElementsAre(0, 1, 1, 2, 2, 2, 3, 4, 5, 77, 77, 78, 78, 79));
    EXPECT_THAT(ids_along(older, 1), ElementsAre(0, 1, 1, 2, 3, 2, 3, 4, 5, 2, 3, 78, 78, 79));
    EXPECT_THAT(layout_ids(older).deltas, ElementsAre(66));
    const IdPlan newer = omni_plan(MultimodalFamily::qwen3_omni, two);
    EXPECT_THAT(ids_along(newer, 0), ElementsAre(0, 1, 2, 3, 3, 3, 4, 5, 6, 78, 78, 79, 80, 81));
    EXPECT_THAT(ids_along(newer, 1), ElementsAre(0, 1, 2, 3, 4, 3, 4, 5, 6, 3, 4, 79, 80, 81));
    EXPECT_THAT(layout_ids(newer).deltas, ElementsAre(68));
}

/// What stands where, in runs: "video 4, sound 50".
std::string runs(const IdPlan& plan) {
    std::string text;
    for (const SegmentRange& range : segment_ranges(id_positions(plan))) {
        text += (text.empty() ? "" : ", ") + std::string(to_string(range.first.kind)) + " " +
                std::to_string(range.count);
    }
    return text;
}

// Two tokens a frame: chunks of 50 steps hold two frames at 1 second, and 3 seconds jump over one
// chunk, so that each token behind the jump ends a chunk.
TEST(WovenSound, ComesInChunksOrTokenByToken) {
    const std::vector<Segment> row = {sounding(video(3, 2, 4, 1.0), 60)};
    EXPECT_EQ(runs(omni_plan(MultimodalFamily::qwen2_5_omni, row)),
              "text 2, video 4, sound 50, video 2, sound 10, text 2");
    EXPECT_EQ(runs(omni_plan(MultimodalFamily::qwen3_omni, row)),
              "text 2, video 2, sound 25, video 2, sound 25, video 2, sound 10, text 2");
    EXPECT_EQ(runs(omni_plan(MultimodalFamily::qwen2_5_omni, {sounding(video(2, 2, 4, 4.0), 110)})),
              "text 2, video 2, sound 50, video 1, sound 50, video 1, sound 10, text 2");
}

TEST(WovenSound, FaultsAreNamed) {
    // Every way to make the fault that changes an id; the number of them.
    const auto named = [](const IdPlan& plan, const std::string& code) {
        int ways = 0;
        for (const IdVariation& variation : find_id_fault(code)->variations) {
            const auto made = variation.make(plan);
            if (made && made->ids != layout_ids(plan).ids) {
                EXPECT_THAT(test::codes(judge_positions(plan, *made)), Contains(code))
                    << variation.how;
                ++ways;
            }
        }
        return ways;
    };
    for (const MultimodalFamily family :
         {MultimodalFamily::qwen2_5_omni, MultimodalFamily::qwen3_omni}) {
        const IdPlan plan =
            omni_plan(family, {text(3), sounding(video(4, 4, 4, 2.0), 30), text(2), image(4, 4)});
        for (const char* code : {"ids.sound_order", "ids.sound_start", "ids.sound_marks",
                                 "ids.interval_missing", "ids.time_missing", "ids.one_based"}) {
            EXPECT_GT(named(plan, code), 0) << code;
        }
        EXPECT_TRUE(judge_positions(plan, layout_ids(plan)).right());
    }
    IdPlan kept{
        .rule = {}, .version = kNewer, .layout = {.rows = {{text(4), image(4, 4), text(9)}}}};
    kept.layout.kept = {0, 1, 6, 7, 12, 14};
    EXPECT_EQ(named(kept, "ids.compacted"), 2);
    IdPlan numbered = omni_plan(MultimodalFamily::hunyuan_vl,
                                {text(2), image(4, 6), text(3), image(6, 4), text(1)});
    numbered.layout.rows.push_back({text(2), image(4, 6), text(18)});
    numbered.layout.padding = Padding::right;
    for (const char* code : {"ids.image_number", "ids.row_end", "ids.axes_swapped",
                             "ids.axes_order", "ids.text_positions", "ids.column_order"}) {
        EXPECT_GT(named(numbered, code), 0) << code;
    }
}

// Origin: get_rope_index of modeling_hunyuan_vl.py (transformers, August 2026), run with PyTorch;
// 150 random batches were equal.
TEST(WovenSound, HunYuanVlNumbersRowsAndImages) {
    const IdPlan plan =
        omni_plan(MultimodalFamily::hunyuan_vl, {text(1), image(4, 4), text(1), image(2, 2)});
    EXPECT_THAT(ids_along(plan, 0), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    EXPECT_THAT(ids_along(plan, 1), ElementsAre(0, 0, 1, 2, 0, 1, 2, 7, 0, 1));
    EXPECT_THAT(ids_along(plan, 2), ElementsAre(0, 0, 0, 0, 1, 1, 1, 7, 0, 0));
    EXPECT_THAT(ids_along(plan, 3), ElementsAre(0, 0, 0, 0, 0, 0, 0, 7, 1, 1));
    EXPECT_THAT(layout_ids(plan).deltas, ElementsAre(0));
}

TEST(WovenSound, WhatCannotBeCountedIsRefused) {
    const auto refusal = [](const IdPlan& plan) { return input_error([&] { layout_ids(plan); }); };
    EXPECT_THAT(refusal(omni_plan(MultimodalFamily::qwen2_5_vl, {sounding(video(2, 2, 2), 4)})),
                HasSubstr("only Qwen2.5-Omni and Qwen3-Omni weave the sound"));
    EXPECT_THAT(refusal(omni_plan(MultimodalFamily::qwen3_omni, {video(2, 2, 2, 0.5)})),
                HasSubstr("frame 1 sits 12.5 steps of time behind the first one"));
    EXPECT_THAT(refusal(omni_plan(MultimodalFamily::hunyuan_vl, {video(1, 2, 2)})),
                HasSubstr("counts still images alone"));
    IdPlan kept = omni_plan(MultimodalFamily::qwen2_vl, {text(3)});
    kept.layout.kept = {1, 3};
    EXPECT_THAT(refusal(kept), HasSubstr("kept: token 3, and a row has 3"));
}

}  // namespace
}  // namespace ropescope
