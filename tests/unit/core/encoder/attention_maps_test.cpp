// Maps made again from q, k and the rows' sums against the maps that the forward pass kept itself.
#include "core/encoder/attention_maps.h"

#include <cmath>
#include <gtest/gtest.h>

#include "core/encoder/encoder.h"

namespace ropescope::test {
namespace {

/// Two layers of the notebook's architecture, small, on `positions` tokens.
Trace small_trace(std::int64_t positions, std::int64_t shift = 0) {
    EncoderConfig config;
    config.vocab_size = 50;
    config.embedding_size = config.hidden_size = 32;
    config.intermediate_size = 64;
    config.n_layers = 2;
    const auto engine = make_cpu_engine(1);
    const Encoder encoder(*engine, config, random_weights(config, 3));
    EncoderInput input;
    input.shape = {1, positions};
    for (std::int64_t i = 0; i < positions; ++i) {
        input.ids.push_back(i * i % config.vocab_size);
    }
    ForwardOptions options;
    options.rope.shift = shift;
    options.trace = TraceRequest::everything();
    return encoder.forward(input, options);
}

/// Scores are sums of 8 products of numbers below 8, rounded in another order: (8 + 1) 2^-24 of
/// 8 * 64 / sqrt(8); a probability is at most 1 and moves by as much as its score, twice.
constexpr double kScore = 9 * 0x1p-24 * 8 * 64 / 2.8;
constexpr double kProb = 4 * kScore;

TEST(AttentionMaps, AreTheForwardPassesOwnCellByCell) {
    constexpr std::int64_t kLength = 70;  // two blocks of rows
    const Trace trace = small_trace(kLength);
    for (const LayerTrace& layer : trace.layers) {
        for (const std::int64_t head : {0, 3}) {
            const HeadMap map = head_map(layer, head, {128});
            ASSERT_EQ(map.block, 1);
            ASSERT_EQ(map.cells, kLength);
            const auto first = head * kLength * kLength;
            for (std::size_t i = 0; i < map.scores.size(); ++i) {
                ASSERT_NEAR(map.scores[i], layer.scores.values()[first + i], kScore) << i;
                ASSERT_NEAR(map.probs[i], layer.probs.values()[first + i], kProb) << i;
            }
        }
    }
}

TEST(AttentionMaps, LargeCellsHoldTheMeanScoreAndTheLargestProbability) {
    constexpr std::int64_t kLength = 70;
    const LayerTrace layer = small_trace(kLength).layers[1];
    const HeadMap map = head_map(layer, 1, {9});
    EXPECT_EQ(map.block, 8);
    EXPECT_EQ(map.cells, 9);
    double sum = 0;  // of the cell of queries 16 .. 23 and keys 64 .. 69, the last of its row
    double most = 0;
    for (std::int64_t q = 16; q < 24; ++q) {
        for (std::int64_t k = 64; k < kLength; ++k) {
            const auto at = (kLength + q) * kLength + k;
            sum += static_cast<double>(layer.scores.values()[at]);
            most = std::max(most, static_cast<double>(layer.probs.values()[at]));
        }
    }
    EXPECT_NEAR(map.scores[2 * 9 + 8], sum / (8 * 6), kScore);
    EXPECT_NEAR(map.probs[2 * 9 + 8], most, kProb);
}

TEST(AttentionMaps, ScoresByDistanceAreTheDiagonals) {
    constexpr std::int64_t kLength = 20;
    const LayerTrace layer = small_trace(kLength).layers[0];
    const HeadMap map = head_map(layer, 0, {64});
    ASSERT_EQ(map.bin, 1);
    ASSERT_EQ(map.mean_score.size(), 2U * kLength - 1U);
    double sum = 0, squares = 0;
    for (std::int64_t q = 0; q + 5 < kLength; ++q) {
        const double score = static_cast<double>(layer.scores.values()[q * kLength + q + 5]);
        sum += score;
        squares += score * score;
    }
    const double count = kLength - 5, mean = sum / count;
    const auto at = 5 - map.first_distance;
    EXPECT_NEAR(map.mean_score[at], mean, kScore);
    EXPECT_NEAR(map.deviation[at], std::sqrt(squares / count - mean * mean), 1e-4);
}

TEST(AttentionMaps, EveryNthQueryCountsForProbabilitiesAndDistances) {
    constexpr std::int64_t kLength = 70;
    const LayerTrace layer = small_trace(kLength).layers[1];
    const HeadMap all = head_map(layer, 1, {9});
    const HeadMap some = head_map(layer, 1, {9, 4});
    EXPECT_EQ(some.scores, all.scores) << "means are of all queries";
    double most = 0;  // of the cell of queries 16 and 20, keys 64 .. 69
    for (const std::int64_t q : {16, 20}) {
        for (std::int64_t k = 64; k < kLength; ++k) {
            const auto at = (kLength + q) * kLength + k;
            most = std::max(most, static_cast<double>(layer.probs.values()[at]));
        }
    }
    EXPECT_NEAR(some.probs[2 * 9 + 8], most, kProb);
    const LayerTrace thinned = with_every_nth_query(layer, 4);
    EXPECT_EQ(thinned.q_rot.shape, (std::vector<std::int64_t>{1, 4, 18, 8}));
    EXPECT_EQ(thinned.log_sums.values()[18 + 2], layer.log_sums.values()[kLength + 8]);
    const LayerTrace other = with_every_nth_query(small_trace(kLength).layers[0], 4);
    const MapChange change = largest_change(thinned, other, 1);
    EXPECT_GT(change.score, 0);
    EXPECT_LE(change.score, largest_change(layer, small_trace(kLength).layers[0], 1).score);
}

TEST(AttentionMaps, MaskedKeysHaveNoProbability) {
    const LayerTrace layer = small_trace(20).layers[0];
    const HeadMap map = head_map(layer, 0, {.most_cells = 64, .seen_keys = 17});
    const HeadMap all = head_map(layer, 0, {64});
    for (std::size_t query = 0; query < 20; ++query) {
        EXPECT_EQ(map.probs[query * 20 + 16], all.probs[query * 20 + 16]);
        EXPECT_EQ(map.probs[query * 20 + 17], 0.0F);
        EXPECT_EQ(map.probs[query * 20 + 19], 0.0F);
    }
    EXPECT_EQ(map.scores, all.scores) << "they are before the mask";
}

TEST(AttentionMaps, TheLargestChangeIsFound) {
    const Trace trace = small_trace(70);
    EXPECT_EQ(largest_change(trace.layers[0], trace.layers[0], 2).score, 0.0);
    const MapChange moved = largest_change(small_trace(70, 100).layers[1], trace.layers[1], 2);
    EXPECT_LT(moved.score, 1e-4) << "only distances count";
    // Another layer has other scores: the largest difference, by hand.
    const auto a = trace.layers[0].scores.values(), b = trace.layers[1].scores.values();
    double most = 0;
    for (std::size_t i = 2 * 70 * 70; i < 3 * 70 * 70; ++i) {
        most = std::max(most, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
    }
    EXPECT_NEAR(largest_change(trace.layers[0], trace.layers[1], 2).score, most, 2 * kScore);
}

}  // namespace
}  // namespace ropescope::test
