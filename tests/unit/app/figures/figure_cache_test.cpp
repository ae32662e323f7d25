// Tests of what outlives a figure.
#include <gtest/gtest.h>

#include "app/figures/work.h"

namespace ropescope::figures {
namespace {

struct Counter {
    int count = 0;
};
struct Another {
    int count = 7;
};

TEST(FigureCache, KeepsOneValueOfEachType) {
    FigureCache cache;
    cache.results<Counter>().count = 1;
    EXPECT_EQ(cache.results<Counter>().count, 1);
    EXPECT_EQ(cache.results<Another>().count, 7);
    EXPECT_EQ(cache.engine_memory<Counter>().count, 0) << "results and engine memory are apart";
}

TEST(FigureCache, SharesResultsButNoEngineMemory) {
    FigureCache window, beside;
    window.results<Counter>().count = 1;
    window.engine_memory<Counter>().count = 2;
    beside.engine_memory<Counter>().count = 3;
    beside.share_results_of(window);
    beside.results<Counter>().count += 10;
    EXPECT_EQ(window.results<Counter>().count, 11);
    EXPECT_EQ(window.engine_memory<Counter>().count, 2);
    EXPECT_EQ(beside.engine_memory<Counter>().count, 3);
    window.free_engine_memory();
    EXPECT_EQ(window.engine_memory<Counter>().count, 0);
    EXPECT_EQ(window.results<Counter>().count, 11);
}

}  // namespace
}  // namespace ropescope::figures
