// Positions taken apart by frames, rows and columns, against those of whole sequences.
#include "core/schemes/patch_positions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/positions/multimodal_ids.h"
#include "core/schemes/diffusion.h"
#include "core/schemes/multimodal_text.h"
#include "core/schemes/scaled_grids.h"
#include "core/schemes/vision_towers.h"
#include "tests/support/input_error.h"

namespace ropescope {
namespace {

using test::input_error;
using ::testing::HasSubstr;

constexpr PatchGrid kGrid{3, 4, 6};

RotaryScheme with_rule(GridRule rule) {
    const Index axes = std::ssize(rule.axes);
    RotaryScheme scheme{.head_dim = 2,
                        .heads = {Spectrum{std::vector<double>(axes, 1.0), 1, 1, axes}}};
    for (const Coordinate& axis : rule.axes) {
        scheme.axes.push_back(axis.axis);
    }
    scheme.pairs = {{0, 1}};
    scheme.positions = std::move(rule);
    return scheme;
}

/// Every spacing on every side, tokens that do not turn, and blocks of 2 x 2.
std::vector<GridRule> rules() {
    std::vector<GridRule> all;
    for (const Spacing spacing :
         {Spacing::plain, Spacing::by_side, Spacing::centred, Spacing::ends, Spacing::centres,
          Spacing::centres_of_longer, Spacing::centres_of_shorter, Spacing::cropped}) {
        GridRule rule{.still_before = 2, .still_after = 1, .base = {1, 30, 45}};
        for (const GridSide side : {GridSide::frame, GridSide::row, GridSide::column}) {
            rule.axes.push_back({.axis = std::string(to_string(side)),
                                 .side = side,
                                 .spacing = spacing,
                                 .scale = 1.5,
                                 .offset = 0.25});
        }
        all.push_back(rule);
        rule.merge = 2;
        all.push_back(rule);
    }
    return all;
}

/// Where a patch comes in the sequence: blocks of merge x merge patches, row by row.
Index token_of(const GridRule& rule, const PatchGrid& grid, const PatchIndex& patch) {
    const Index m = rule.merge;
    const Index block = patch.row / m * (grid.columns / m) + patch.column / m;
    return rule.still_before + patch.frame * grid.rows * grid.columns + block * m * m +
           patch.row % m * m + patch.column % m;
}

template <typename Visit>
void for_each_patch(const PatchGrid& grid, Visit visit) {
    for (Index frame = 0; frame < grid.frames; ++frame) {
        for (Index row = 0; row < grid.rows; ++row) {
            for (Index column = 0; column < grid.columns; ++column) {
                visit(PatchIndex{frame, row, column});
            }
        }
    }
}

TEST(PatchPositions, OfEveryGridRuleAreThoseOfTheWholeSequence) {
    for (const GridRule& rule : rules()) {
        SCOPED_TRACE(describe(rule));
        const PatchPositions places = patch_positions(with_rule(rule), kGrid);
        const TokenPositions whole = grid_positions(rule, {{kGrid}, 0});
        for_each_patch(kGrid, [&](const PatchIndex& patch) {
            for (Index axis = 0; axis < 3; ++axis) {
                // A difference and a sum of numbers below 64: two roundings.
                EXPECT_NEAR(places.at(axis, patch),
                            whole.values[axis * whole.tokens() + token_of(rule, kGrid, patch)],
                            2 * 64 * 0x1p-53);
            }
        });
    }
}

RotaryScheme language_model(MultimodalFamily family) {
    const RopeSpec spec{.head_dim = 128, .rotary_dim = 128, .base = 1e6};
    return multimodal_text("qwen2_vl_text", spec, {16, 24, 24}, SectionOrder::bands,
                           {.family = family, .merge = 2, .tokens_per_second = 2});
}

TEST(PatchPositions, OfLanguageModelsAreTheIdsOfEveryToken) {
    for (const std::string_view name : kEnumNames<MultimodalFamily>) {
        SCOPED_TRACE(name);
        const MultimodalFamily family = *enum_value<MultimodalFamily>(name);
        if (family == MultimodalFamily::qwen3_vl || family == MultimodalFamily::glm4v ||
            family == MultimodalFamily::hunyuan_vl) {
            continue;  // frames with time stamps and images with row ends, below
        }
        const RotaryScheme scheme = language_model(family);
        const PatchPositions places = patch_positions(scheme, kGrid);
        const auto& rule = std::get<MultimodalRule>(scheme.positions);
        const Segment video{.kind = SegmentKind::video, .grid = {3 * rule.merged_frames(), 8, 12}};
        const MultimodalIds ids =
            multimodal_ids(rule, PositionVersion::transformers_5, {.rows = {{video}}});
        Index token = 0;
        for_each_patch(kGrid, [&](const PatchIndex& patch) {
            for (Index axis = 0; axis < 3; ++axis) {
                EXPECT_EQ(places.at(axis, patch), to_double(ids.at(axis, 0, token)));
            }
            ++token;
        });
        EXPECT_EQ(token, ids.length);
    }
}

TEST(PatchPositions, FramesWithTimeStampsHaveTextBetweenThem) {
    const PatchPositions places =
        patch_positions(language_model(MultimodalFamily::qwen3_vl), kGrid);
    // A frame of 4 x 6 tokens takes 6 positions, and the next time stamp follows them.
    for (Index axis = 0; axis < 3; ++axis) {
        EXPECT_EQ(places.between(axis, {0, 0, 0}, {1, 0, 0}), 6.0 + kTimeStampTokens);
        EXPECT_EQ(places.between(axis, {0, 1, 2}, {0, 3, 2}), axis == 1 ? 2.0 : 0.0);
        EXPECT_EQ(places.between(axis, {0, 1, 2}, {0, 1, 5}), axis == 2 ? 3.0 : 0.0);
    }
}

TEST(PatchPositions, OfHunYuanVlPassOverTheTokenAtTheEndOfARow) {
    const PatchPositions places =
        patch_positions(four_axes_text("hunyuan_vl_text", {.head_dim = 128, .rotary_dim = 128},
                                       std::vector<Index>{16, 16, 16, 16},
                                       {.family = MultimodalFamily::hunyuan_vl}),
                        {1, 4, 6});
    EXPECT_EQ(places.between(0, {0, 0, 0}, {0, 1, 0}), 7.0);
    EXPECT_EQ(places.between(1, {0, 1, 2}, {0, 1, 5}), 3.0);
    EXPECT_EQ(places.between(2, {0, 1, 2}, {0, 3, 2}), 2.0);
    EXPECT_EQ(places.between(3, {0, 1, 2}, {0, 3, 5}), 0.0);
}

TEST(PatchPositions, AxesThatDoNotTellPatchesApartAreExactlyEqual) {
    for (const GridRule& rule : rules()) {
        const PatchPositions places = patch_positions(with_rule(rule), kGrid);
        EXPECT_EQ(places.between(1, {0, 2, 1}, {2, 2, 5}), 0.0);
        EXPECT_NE(places.between(2, {0, 2, 1}, {2, 2, 5}), 0.0);
    }
}

TEST(TextPositions, CountInAllAxesOrInOneOrNowhere) {
    const PatchIndex from{0, 0, 0}, to{1, 2, 3};
    const double tokens = 1 * 24 + 2 * 6 + 3;
    const auto along = [&](const RotaryScheme& scheme) {
        const PatchPositions places = text_positions(scheme, kGrid);
        std::vector<double> steps;
        for (Index axis = 0; axis < std::ssize(scheme.axes); ++axis) {
            steps.push_back(places.between(axis, from, to));
        }
        return steps;
    };
    constexpr std::array<Index, 3> kThree = {16, 56, 56};
    constexpr std::array<Index, 4> kFour = {32, 32, 32, 32};
    EXPECT_THAT(along(language_model(MultimodalFamily::qwen2_vl)), ::testing::Each(tokens));
    EXPECT_THAT(along(scheme_of({.head_dim = 64, .rotary_dim = 64})), ::testing::Each(tokens));
    EXPECT_THAT(along(qwen_image(kThree)), ::testing::Each(tokens));
    EXPECT_THAT(along(flux1(kThree)), ::testing::Each(0.0));
    EXPECT_THAT(along(flux2(kFour)), ::testing::ElementsAre(0.0, 0.0, 0.0, tokens));
}

TEST(PatchPositions, RefuseWhatTheModelDoesNotHave) {
    EXPECT_THAT(input_error([] { text_positions(dinov3({}), kGrid); }), HasSubstr("give patches"));
    constexpr std::array<Index, 3> kAxes = {16, 56, 56};
    EXPECT_THAT(input_error([&] { text_positions(hunyuan_video(kAxes), kGrid); }),
                HasSubstr("does not turn"));
    EXPECT_THAT(
        input_error([] { patch_positions(scheme_of({.head_dim = 64, .rotary_dim = 64}), kGrid); }),
        HasSubstr("give text"));
    EXPECT_THAT(input_error([] { patch_positions(sam2(256), kGrid); }), HasSubstr("not square"));
    EXPECT_THAT(input_error([] {
                    patch_positions(qwen2_vl_vision(80), {1, 3, 4});
                }),
                HasSubstr("blocks of 2 x 2"));
}

}  // namespace
}  // namespace ropescope
