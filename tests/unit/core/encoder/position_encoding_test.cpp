// ALiBi, T5 and sinusoids against numbers of their papers, and a decoder that does not see the
// future.
#include "core/encoder/position_encoding.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/encoder/encoder.h"

namespace ropescope::test {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

TEST(PositionEncoding, SlopesOfAlibiAreThoseOfThePaper) {
    // Press et al., section 3: 1/2, 1/4, ... 1/256 for 8 heads, and 1/sqrt(2), 1/2, ... for 16.
    EXPECT_THAT(alibi_slopes(8),
                ElementsAre(0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.00390625));
    EXPECT_THAT(alibi_slopes(16)[0], DoubleEq(std::sqrt(0.5)));
    EXPECT_THAT(alibi_slopes(16)[15], DoubleEq(0.00390625));
    // get_slopes(6) of their code: those of 4 heads, then the first and third of 8.
    EXPECT_THAT(alibi_slopes(6), ElementsAre(0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125));
}

TEST(PositionEncoding, RangesOfT5AreThoseOfItsCode) {
    // T5Attention._relative_position_bucket of transformers, run with its default of 32 ranges and
    // a largest distance of 128: the first distance of each range, both ways.
    const std::vector<Index> first = {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91};
    for (Index range = 0; range < 16; ++range) {
        const Index from = first[static_cast<std::size_t>(range)];
        EXPECT_EQ(t5_bucket(-from, false), range) << from;
        EXPECT_EQ(t5_bucket(from, false), from == 0 ? 0 : range + 16) << from;
        if (range > 0) {
            EXPECT_EQ(t5_bucket(1 - from, false), range - 1) << from;
        }
    }
    EXPECT_EQ(t5_bucket(-100000, false), 15);
    EXPECT_EQ(t5_bucket(100000, false), 31);
    EXPECT_EQ(t5_bucket(5, true), 0);
    EXPECT_EQ(t5_bucket(-15, true), 15);
    EXPECT_EQ(t5_bucket(-16, true), 16);
    EXPECT_EQ(t5_bucket(-18, true), 16);
    EXPECT_EQ(t5_bucket(-19, true), 17);
    EXPECT_EQ(t5_bucket(-112, true), 30);
    EXPECT_EQ(t5_bucket(-113, true), 31);
}

TEST(PositionEncoding, BiasesGoByHeadQueryAndKey) {
    const std::vector<Index> positions = {0, 1, 5};
    EXPECT_THAT(alibi_bias(positions, 2),
                ElementsAre(0, -0.0625F, -0.3125F, -0.0625F, 0, -0.25F, -0.3125F, -0.25F, 0, 0,
                            -0.00390625F, -0.01953125F, -0.00390625F, 0, -0.015625F, -0.01953125F,
                            -0.015625F, 0));
    std::vector<float> table(static_cast<std::size_t>(kT5Buckets));
    for (std::size_t i = 0; i < table.size(); ++i) {
        table[i] = static_cast<float>(i);
    }
    EXPECT_THAT(t5_bias(positions, 1, table, false), ElementsAre(0, 17, 21, 1, 0, 20, 5, 4, 0));
}

EncoderConfig small(PositionEncoding position, bool causal) {
    EncoderConfig config;
    config.architecture = Architecture::hugging_face;
    config.vocab_size = 12;
    config.hidden_size = config.embedding_size = 16;
    config.intermediate_size = 24;
    config.type_vocab_size = 1;
    config.n_layers = 2;
    config.n_heads = 2;
    config.max_positions = 8;
    config.rope_base = 1e4;
    config.position = position;
    config.causal = causal;
    return config;
}

/// The last hidden states of every token.
std::vector<float> states(const EncoderConfig& config, std::vector<Index> ids) {
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    EncoderInput input;
    input.shape = {1, std::ssize(ids)};
    input.ids = std::move(ids);
    const Trace trace = Encoder(*engine, config, random_weights(config, 3))
                            .forward(input, {{}, {.hidden = true}, {}});
    const auto values = trace.hidden.back().values();
    return {values.begin(), values.end()};
}

std::vector<float> token(const std::vector<float>& rows, Index place) {
    return {rows.begin() + place * 16, rows.begin() + (place + 1) * 16};
}

TEST(PositionEncoding, ADecoderDoesNotSeeWhatComesLater) {
    for (const PositionEncoding position :
         {PositionEncoding::rope, PositionEncoding::sinusoidal, PositionEncoding::learned,
          PositionEncoding::t5, PositionEncoding::alibi, PositionEncoding::none}) {
        SCOPED_TRACE(to_string(position));
        const auto one = states(small(position, true), {3, 4, 5, 6});
        const auto other = states(small(position, true), {3, 4, 5, 9});
        for (const Index place : {0, 1, 2}) {
            EXPECT_EQ(token(one, place), token(other, place));
        }
        EXPECT_NE(token(one, 3), token(other, 3));
        EXPECT_NE(token(states(small(position, false), {3, 4, 5, 6}), 0),
                  token(states(small(position, false), {3, 4, 5, 9}), 0));
    }
}

TEST(PositionEncoding, OnlyAnEncoderWithoutPositionsIsABagOfWords) {
    // The last token sees the same words in another order before it.
    const auto last = [](PositionEncoding position, bool causal, std::vector<Index> ids) {
        return token(states(small(position, causal), std::move(ids)), 3);
    };
    for (const bool causal : {false, true}) {
        for (const PositionEncoding position :
             {PositionEncoding::rope, PositionEncoding::sinusoidal, PositionEncoding::learned,
              PositionEncoding::t5, PositionEncoding::alibi}) {
            EXPECT_NE(last(position, causal, {3, 4, 5, 6}), last(position, causal, {5, 3, 4, 6}))
                << to_string(position);
        }
    }
    const auto bag = last(PositionEncoding::none, false, {3, 4, 5, 6});
    const auto mixed = last(PositionEncoding::none, false, {5, 3, 4, 6});
    for (std::size_t i = 0; i < bag.size(); ++i) {
        EXPECT_NEAR(bag[i], mixed[i], 1e-5);  // sums of other order
    }
    const auto decoder = last(PositionEncoding::none, true, {3, 4, 5, 6});
    const auto reordered = last(PositionEncoding::none, true, {5, 3, 4, 6});
    double farthest = 0.0;
    for (std::size_t i = 0; i < decoder.size(); ++i) {
        farthest = std::max(farthest, std::abs(double{decoder[i]} - double{reordered[i]}));
    }
    EXPECT_GT(farthest, 1e-3);
}

}  // namespace
}  // namespace ropescope::test
