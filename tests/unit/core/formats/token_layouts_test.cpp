#include "core/formats/token_layouts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/input_error.h"

namespace ropescope {
namespace {

using ::testing::HasSubstr;

std::string refusal(const std::string& json) {
    return test::input_error([&] { parse_token_layouts(json, "layout.json"); });
}

TEST(TokenLayouts, ReadsSegmentsOfEveryKind) {
    const TokenLayouts file = parse_token_layouts(
        R"({"spatial_merge_size":1,"tokens_per_second":4,"layouts":[{"name":"a","padding":"left",)"
        R"("sequence_length":9,"rows":[[{"text":3},{"image":[1,2,3]}],)"
        R"([{"video":[2,4,6],"second_per_grid":0.5},{"frame":[2,4],"index":0,"of":3},)"
        R"({"text":1,"closes_video":true}]]}]})",
        "layout.json");
    ASSERT_EQ(file.layouts.size(), 1U);
    const TokenLayout& layout = file.layouts[0];
    EXPECT_EQ(layout.name, "a");
    EXPECT_EQ(layout.padding, Padding::left);
    EXPECT_EQ(layout.length, 9);
    EXPECT_EQ(layout.rows[0][0].text, 3);
    EXPECT_EQ(layout.rows[0][1].grid, (PatchGrid{1, 2, 3}));
    EXPECT_EQ(layout.rows[1][0].kind, SegmentKind::video);
    EXPECT_EQ(layout.rows[1][0].second_per_grid, 0.5);
    EXPECT_EQ(layout.rows[1][1].kind, SegmentKind::frame);
    EXPECT_EQ(layout.rows[1][1].grid, (PatchGrid{1, 2, 4}));
    const MultimodalRule rule = with_model_settings({}, file);
    EXPECT_EQ(rule.merge, 1);
    EXPECT_EQ(rule.tokens_per_second, 4.0);
    EXPECT_EQ(parse_token_layouts(R"({"row":[{"text":2}]})", "x").layouts[0].rows.size(), 1U);
}

TEST(TokenLayouts, ReadsWhatBecomesOfTheRows) {
    const TokenLayout packed =
        parse_token_layouts(R"({"packed":true,"rows":[[{"text":3}],[{"text":2}]],)"
                            R"("context_parallel_size":2,"context_parallel_rank":1})",
                            "x")
            .layouts[0];
    EXPECT_TRUE(packed.packed);
    EXPECT_EQ(packed.shards->size, 2);
    EXPECT_EQ(packed.shards->rank, 1);
    const TokenLayout chunk =
        parse_token_layouts(R"({"row":[{"text":3}],"decode_steps":2,"chunk":[1,3]})", "x")
            .layouts[0];
    EXPECT_EQ(chunk.decode_steps, 2);
    EXPECT_EQ(chunk.chunk->first, 1);
    EXPECT_EQ(chunk.chunk->count, 3);
}

TEST(TokenLayouts, RefusesWhatContradictsItself) {
    EXPECT_THAT(
        refusal(R"({"row":[],"paddin":1})"),
        HasSubstr("layout.json: 'paddin' is not a key of a layout; did you mean 'padding'"));
    EXPECT_THAT(refusal(R"({"layouts":[{"row":[],"decode":1}]})"),
                HasSubstr("layouts[0]: 'decode' is not a key of a layout"));
    EXPECT_THAT(refusal(R"({"row":[],"rows":[]})"), HasSubstr("row: rows are there, too"));
    EXPECT_THAT(refusal(R"({"row":[],"chunk":[1]})"), HasSubstr("chunk: [first, count]"));
    EXPECT_THAT(refusal(R"({"row":[],"chunk":[1,0.5]})"), HasSubstr("chunk: [first, count]"));
    EXPECT_THAT(refusal(R"({"row":[],"chunk":[0,1],"context_parallel_size":2})"),
                HasSubstr("chunk: a chunk is not shared out"));
    EXPECT_THAT(refusal(R"({"row":[],"context_parallel_rank":0})"),
                HasSubstr("context_parallel_rank: there is no context_parallel_size"));
    EXPECT_THAT(refusal(R"({"row":[],"context_parallel_rank":2,"context_parallel_size":2})"),
                HasSubstr("2 of 2 ranks; give 0 to 1"));
    EXPECT_THAT(refusal(R"({"row":[],"packed":true,"padding":"left"})"),
                HasSubstr("padding: documents packed in one row are filled up to sequence_length"));
    EXPECT_THAT(refusal(R"({"row":[],"packed":true,"padding":"left","sequence_length":4,)"
                        R"("decode_steps":1})"),
                HasSubstr("decode_steps: packed documents with padding are not continued"));
    EXPECT_THAT(refusal(R"({"row":[],"context_parallel_size":2,)"
                        R"("context_parallel_per_document":true})"),
                HasSubstr("context_parallel_per_document: it shares out packed documents"));
    EXPECT_THAT(refusal(R"({"row":[],"context_parallel_per_document":true})"),
                HasSubstr("context_parallel_per_document: there is no context_parallel_size"));
    EXPECT_THAT(refusal(R"({"row":[{"text":18446744073709551615}]})"),
                HasSubstr("row[0].text: a number of tokens"));
    EXPECT_THAT(refusal(R"({"row":[{"frame":[2,2],"index":-1}]})"), HasSubstr("index: a number"));
    EXPECT_THAT(refusal(R"({"row":[{"frame":[2,2],"index":3,"of":2}]})"),
                HasSubstr("index: frame 3 of 2; a number below that of the frames is expected"));
}

TEST(TokenLayouts, RefusesListsOfGridsThatContradictTheRows) {
    EXPECT_THAT(refusal(R"({"row":[{"image":[1,4,6]}],"image_grid_thw":[[1,6,4]]})"),
                HasSubstr("image_grid_thw: [1, 6, 4], and the rows have [1, 4, 6]"));
    EXPECT_THAT(refusal(R"({"row":[{"frame":[4,6],"index":0,"of":2},{"text":1},)"
                        R"({"frame":[4,6],"index":1,"of":2}],"video_grid_thw":[[3,4,6]]})"),
                HasSubstr("video_grid_thw: [3, 4, 6], and the rows have [2, 4, 6]"));
    EXPECT_THAT(refusal(R"({"row":[{"video":[2,4,6],"second_per_grid":0.5}],)"
                        R"("second_per_grid_ts":[1.5]})"),
                HasSubstr("second_per_grid_ts: the rows have 1 videos"));
    parse_token_layouts(R"({"row":[{"video":[2,4,6]}],"video_grid_thw":[[2,4,6]],)"
                        R"("image_grid_thw":[],"second_per_grid_ts":null})",
                        "x");
}

TEST(TokenLayouts, NamesThePlaceOfAMistake) {
    EXPECT_THAT(refusal("{}"), HasSubstr("layout.json: rows: a list of rows is expected"));
    EXPECT_THAT(refusal(R"({"layouts":3})"), HasSubstr("layouts: a list of layouts"));
    EXPECT_THAT(refusal(R"({"layouts":[3]})"), HasSubstr("layouts[0]: an object with rows"));
    EXPECT_THAT(refusal(R"({"rows":[3]})"), HasSubstr("rows[0]: a list of segments"));
    EXPECT_THAT(refusal(R"({"rows":[[{"txt":3}]]})"),
                HasSubstr("rows[0][0]: an object with text, audio, image, video or frame"));
    EXPECT_THAT(refusal(R"({"rows":[[{"text":-3}]]})"), HasSubstr("rows[0][0].text: a number of"));
    EXPECT_THAT(refusal(R"({"rows":[[{"text":1.5}]]})"), HasSubstr("rows[0][0].text: a number of"));
    EXPECT_THAT(refusal(R"({"rows":[[{"text":1},{"image":[4,4]}]]})"),
                HasSubstr("rows[0][1].image: [t, h, w] is expected"));
    EXPECT_THAT(refusal(R"({"rows":[[{"frame":[4,"4"]}]]})"),
                HasSubstr("frame: [h, w] is expected"));
    EXPECT_THAT(refusal(R"({"rows":[[{"video":[1,2,2],"seconds_per_grid":1}]]})"),
                HasSubstr("'seconds_per_grid' is not a key of a video segment; did you mean "
                          "'second_per_grid'"));
    EXPECT_THAT(refusal(R"({"rows":[],"padding":"both"})"),
                HasSubstr("padding: 'both'; left, right or none"));
}

}  // namespace
}  // namespace ropescope
