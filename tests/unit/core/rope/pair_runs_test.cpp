#include <gtest/gtest.h>

#include "core/rope/layout.h"

namespace ropescope {
namespace {

std::vector<ChannelPair> of_layout(Layout layout, Index rotary_dim) {
    std::vector<ChannelPair> pairs;
    for (Index i = 0; i < rotary_dim / 2; ++i) {
        pairs.push_back(pair_channels(layout, rotary_dim, i));
    }
    return pairs;
}

/// The pairs that the runs stand for, in the order of the table's columns.
std::vector<ChannelPair> spelled_out(const std::vector<PairRun>& runs) {
    std::vector<ChannelPair> pairs;
    for (const PairRun& run : runs) {
        EXPECT_EQ(run.pair, std::ssize(pairs));
        const Index step = run.adjacent ? 2 : 1;
        for (Index k = 0; k < run.count; ++k) {
            pairs.push_back({run.first + step * k, run.second + step * k});
        }
    }
    return pairs;
}

TEST(PairRuns, ALayoutIsOneRun) {
    for (const Layout layout : {Layout::interleaved, Layout::half_split}) {
        for (const Index rotary_dim : {2, 4, 10}) {
            const auto pairs = of_layout(layout, rotary_dim);
            EXPECT_EQ(pair_runs(pairs).size(), 1U);
            EXPECT_EQ(spelled_out(pair_runs(pairs)), pairs);
            EXPECT_EQ(spelled_out({layout_run(layout, rotary_dim / 2)}), pairs);
        }
    }
}

TEST(PairRuns, BlocksAreARunEachAndAnyOrderIsKept) {
    const std::vector<ChannelPair> blocks = {{0, 3}, {1, 4}, {2, 5}, {6, 9}, {7, 10}, {8, 11}};
    EXPECT_EQ(pair_runs(blocks).size(), 2U);
    EXPECT_EQ(spelled_out(pair_runs(blocks)), blocks);
    const std::vector<ChannelPair> any = {{5, 0}, {1, 2}, {3, 4}, {7, 6}};
    EXPECT_EQ(pair_runs(any).size(), 3U);
    EXPECT_EQ(spelled_out(pair_runs(any)), any);
}

}  // namespace
}  // namespace ropescope
