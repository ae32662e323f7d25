#include "core/rope/layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

#include "tests/support/input_error.h"

namespace ropescope {
namespace {

using test::input_error;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Layout, NamesRoundTripAndHyphenIsAccepted) {
    for (const Layout layout : {Layout::interleaved, Layout::half_split}) {
        EXPECT_EQ(parse_layout(to_string(layout)), layout);
    }
    EXPECT_EQ(parse_layout("half-split"), Layout::half_split);
}

TEST(Layout, SentencesHaveAHyphenAndOtherWordsStay) {
    EXPECT_EQ(layout_word(Layout::half_split), "half-split");
    EXPECT_EQ(layout_word(Layout::interleaved), "interleaved");
    for (const char* word : {"q_rot", "half_split_per_block", "model.half_split", ""}) {
        EXPECT_EQ(layout_word(word), word);
    }
}

TEST(Layout, AnUnknownNameIsRefusedWithTheChoices) {
    const std::string error = input_error([] { parse_layout("interleave"); });
    EXPECT_THAT(error, HasSubstr("layout: 'interleave'"));
    EXPECT_THAT(error, HasSubstr("give interleaved or half_split"));
    EXPECT_THAT(error, HasSubstr("did you mean 'interleaved'"));
    EXPECT_NE(input_error([] { parse_layout(""); }), "");
}

TEST(Layout, PairsOfSixRotaryChannels) {
    EXPECT_EQ(pair_channels(Layout::interleaved, 6, 1), (ChannelPair{2, 3}));
    EXPECT_EQ(pair_channels(Layout::half_split, 6, 1), (ChannelPair{1, 4}));
}

TEST(Layout, PermutationToHalfSplitIsEvenChannelsThenOddOnes) {
    EXPECT_THAT(layout_permutation(Layout::interleaved, Layout::half_split, 8, 8),
                ElementsAre(0, 2, 4, 6, 1, 3, 5, 7));
    EXPECT_THAT(layout_permutation(Layout::half_split, Layout::interleaved, 8, 8),
                ElementsAre(0, 4, 1, 5, 2, 6, 3, 7));
}

TEST(Layout, PartialRotaryLeavesTheRestInPlace) {
    EXPECT_THAT(layout_permutation(Layout::interleaved, Layout::half_split, 8, 4),
                ElementsAre(0, 2, 1, 3, 4, 5, 6, 7));
    EXPECT_THAT(layout_permutation(Layout::half_split, Layout::half_split, 4, 4),
                ElementsAre(0, 1, 2, 3));
}

TEST(Layout, ThereAndBackIsTheIdentity) {
    const std::vector<Index> there =
        layout_permutation(Layout::interleaved, Layout::half_split, 12, 10);
    const std::vector<Index> back =
        layout_permutation(Layout::half_split, Layout::interleaved, 12, 10);
    std::vector<float> x(24);  // two heads
    std::iota(x.begin(), x.end(), 0.0F);
    std::vector<float> y(24);
    std::vector<float> z(24);
    permute_channels<float>(x, y, there);
    permute_channels<float>(y, z, back);
    EXPECT_NE(y, x);
    EXPECT_EQ(z, x);
}

TEST(Layout, PermutationRefusesDimensionsThatCannotBePaired) {
    const auto permutation = [](int head_dim, int rotary_dim) {
        return input_error([&] {
            layout_permutation(Layout::interleaved, Layout::half_split, head_dim, rotary_dim);
        });
    };
    EXPECT_THAT(permutation(7, 6), HasSubstr("head_dim: 7"));
    EXPECT_THAT(permutation(8, 10), HasSubstr("rotary_dim: 10 exceeds head_dim 8"));
    EXPECT_THAT(permutation(8, 3), HasSubstr("rotary_dim: 3"));
}

/// Row r, column c has the value 10 r + c.
std::vector<float> numbered_weight(int rows, int columns) {
    std::vector<float> weight;
    for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < columns; ++c) {
            weight.push_back(static_cast<float>(10 * r + c));
        }
    }
    return weight;
}

TEST(ProjectionRows, ArePermutedWithinEachHead) {
    const std::vector<float> weight = numbered_weight(8, 2);  // 2 heads of 4
    EXPECT_THAT(
        permute_projection_rows(weight, 2, 4, 4, 2, Layout::interleaved, Layout::half_split),
        ElementsAre(0, 1, 20, 21, 10, 11, 30, 31,  //
                    40, 41, 60, 61, 50, 51, 70, 71));
}

TEST(ProjectionRows, ABiasIsOneColumn) {
    const std::vector<float> bias = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};  // 2 heads of 6
    EXPECT_THAT(permute_projection_rows(bias, 2, 6, 4, 1, Layout::half_split, Layout::interleaved),
                ElementsAre(0, 2, 1, 3, 4, 5, 6, 8, 7, 9, 10, 11));
}

// y = W x: permuting the rows of W permutes the channels of y, for as many heads as W has.
TEST(ProjectionRows, MakeTheProjectedVectorComeOutInTheOtherLayout) {
    const int head_dim = 6;
    const int columns = 3;
    const std::vector<float> x = {2, -3, 5};
    const auto project = [&](const std::vector<float>& weight) {
        std::vector<float> y(weight.size() / columns, 0.0F);
        for (std::size_t r = 0; r < y.size(); ++r) {
            for (std::size_t c = 0; c < columns; ++c) {
                y[r] += weight[r * columns + c] * x[c];
            }
        }
        return y;
    };
    for (const int heads : {4, 1}) {  // W_q and W_k of a model with grouped queries
        const std::vector<float> weight = numbered_weight(heads * head_dim, columns);
        const std::vector<float> y = project(weight);
        std::vector<float> expected(y.size());
        permute_channels<float>(
            y, expected,
            layout_permutation(Layout::interleaved, Layout::half_split, head_dim, head_dim));
        EXPECT_EQ(project(permute_projection_rows(weight, heads, head_dim, head_dim, columns,
                                                  Layout::interleaved, Layout::half_split)),
                  expected);
    }
}

TEST(ProjectionRows, AWrongSizeIsRefusedWithTheSizes) {
    const std::vector<float> weight = numbered_weight(8, 2);
    const auto attempt = [&](int heads, int columns) {
        permute_projection_rows(weight, heads, 4, 4, columns, Layout::interleaved,
                                Layout::half_split);
    };
    const auto permute = [&](int heads, int columns) {
        return input_error([&] { attempt(heads, columns); });
    };
    EXPECT_NO_THROW(attempt(2, 2));
    EXPECT_THAT(permute(4, 2), HasSubstr("16 values do not make heads 4 x head_dim 4 x columns 2"));
    EXPECT_THAT(permute(4, 2), HasSubstr("n_kv_heads"));
    EXPECT_NE(permute(2, 3), "");
    EXPECT_NE(permute(0, 2), "");
    EXPECT_NE(permute(-2, -2), "");
}

}  // namespace
}  // namespace ropescope
