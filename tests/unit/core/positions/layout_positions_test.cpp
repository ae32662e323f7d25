#include "core/positions/layout_positions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/input_error.h"
#include "tests/unit/core/positions/segments.h"

namespace ropescope {
namespace {

using test::image;
using test::input_error;
using test::text;
using test::video;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(LayoutPositions, RangesNameSegmentsAndJumps) {
    const IdPlan plan{.layout = {.padding = Padding::left,
                                 .rows = {{text(1), video(4, 2, 2), text(2)}, {text(3)}},
                                 .decode_steps = 2}};
    const std::vector<SegmentRange> ranges = segment_ranges(id_positions(plan), plan);
    ASSERT_EQ(ranges.size(), 7U);
    EXPECT_EQ(ranges[1].ranges.front(), (std::pair{1.0, 4.0}));
    EXPECT_EQ(ranges[1].jump, 0);
    EXPECT_EQ(ranges[2].jump, -3);  // text goes on at 2, and time has been at 4
    EXPECT_EQ(ranges[3].first.kind, TokenKind::decode);
    EXPECT_EQ(ranges[3].jump, 0);
    EXPECT_EQ(ranges[4].first.kind, TokenKind::padding);
    EXPECT_EQ(ranges[4].count, 4);
    EXPECT_EQ(ranges[5].jump, std::nullopt);
    EXPECT_EQ(ranges[6].jump, 0);
}

TEST(LayoutPositions, AChunkHasTheJumpsOfTheWhole) {
    IdPlan plan{.layout = {.rows = {{text(1), video(4, 2, 2), text(2)}}}};
    plan.layout.chunk = TokenRange{4, 3};
    const std::vector<SegmentRange> ranges = segment_ranges(id_positions(plan), plan);
    ASSERT_EQ(ranges.size(), 2U);
    EXPECT_EQ(ranges[0].jump, std::nullopt);  // begins inside the video
    EXPECT_EQ(ranges[1].jump, -3);
}

TEST(LayoutPositions, OfOneAxisAreTextAlone) {
    const LayoutPositions positions =
        id_positions({.layout = {.rows = {{text(2)}, {text(3)}}, .packed = true}}, true);
    EXPECT_THAT(positions.axes, ElementsAre("position"));
    EXPECT_THAT(positions.values, ElementsAre(0, 1, 0, 1, 2));
}

// A count of all documents for each of them would take half a minute here.
TEST(LayoutPositions, TakeAHundredThousandDocuments) {
    IdPlan plan{.layout = {.padding = Padding::right, .packed = true}};
    plan.layout.rows.assign(100'000, {text(2)});
    plan.layout.filled_length = 200'003;
    const LayoutPositions positions = id_positions(plan, true);
    EXPECT_EQ(std::ssize(positions.origins), 200'003);
    EXPECT_EQ(positions.origins.back().kind, TokenKind::padding);
    EXPECT_EQ(positions.origins[199'999].row, 99'999);
}

GridRule flux() {
    return {.axes = {{.axis = "id"},
                     {.axis = "h", .side = GridSide::row},
                     {.axis = "w", .side = GridSide::column}},
            .text = TextPositions::origin};
}

TEST(LayoutPositions, OnGridsFollowTheModelsRule) {
    const LayoutPositions positions =
        grid_layout_positions(flux(), {.rows = {{text(2), image(1, 2)}, {text(1), image(1, 3)}}});
    EXPECT_EQ(positions.length, 4);
    EXPECT_EQ(positions.at(2, 0, 3), 1);
    EXPECT_EQ(positions.at(2, 1, 3), 2);
    EXPECT_EQ(positions.origin(1, 1).kind, TokenKind::image);
    EXPECT_EQ(segment_ranges(positions).size(), 4U);
}

TEST(LayoutPositions, OnGridsRefuseWhatTheModelLacks) {
    const auto refusal = [](const TokenLayout& layout) {
        return input_error([&] { grid_layout_positions(flux(), layout); });
    };
    EXPECT_THAT(refusal({.rows = {{image(1, 2), text(2)}}}),
                HasSubstr("rows[0][1]: in this model text stands before the images"));
    EXPECT_THAT(refusal({.rows = {{text(2)}, {text(1)}}}), HasSubstr("rows[1]: 1 tokens"));
    EXPECT_THAT(refusal({.padding = Padding::left, .rows = {{text(2)}}}), HasSubstr("padding: "));
    EXPECT_THAT(refusal({.rows = {{text(2)}}, .length = 5}), HasSubstr("sequence_length: 5"));
    EXPECT_THAT(refusal({}), HasSubstr("rows: the layout has none"));
}

TEST(LayoutIds, PartsMustFit) {
    IdPlan plan{.layout = {.rows = {{text(6)}}}};
    plan.layout.chunk = TokenRange{4, 3};
    EXPECT_THAT(input_error([&] { layout_ids(plan); }),
                HasSubstr("chunk: 3 tokens from 4 on, and a row has 6"));
    plan.layout.chunk.reset();
    plan.layout.shards = ContextShards{2, 0};
    EXPECT_THAT(input_error([&] { layout_ids(plan); }), HasSubstr("a multiple of 4 tokens"));
}

TEST(LayoutIds, ALayoutThatIsTooLargeIsRefusedBeforeItIsBuilt) {
    const std::vector<std::vector<Segment>> rows(1000, {text(1 << 20)});
    EXPECT_THAT(input_error([&] { layout_ids({.layout = {.rows = rows}}); }),
                HasSubstr("1000 rows make 1048576000 tokens with their padding; give a batch of at "
                          "most 4194304"));
    EXPECT_THAT(input_error([&] { layout_ids({.layout = {.rows = {{text(1 << 23)}}}}); }),
                HasSubstr("rows[0]: more than 4194304 tokens"));
}

}  // namespace
}  // namespace ropescope
