#include "core/base/parallel.h"

#include <atomic>
#include <cstdint>
#include <gtest/gtest.h>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace ropescope {
namespace {

using Range = std::pair<std::int64_t, std::int64_t>;

std::set<Range> parts_of(std::int64_t count, std::int64_t grain, int threads) {
    std::mutex mutex;
    std::set<Range> parts;
    parallel_for(count, grain, threads, [&](std::int64_t begin, std::int64_t end) {
        const std::lock_guard lock(mutex);
        parts.emplace(begin, end);
    });
    return parts;
}

TEST(ParallelFor, PartsCoverTheRangeOnceAndStartAtMultiplesOfTheGrain) {
    for (const std::int64_t count : {1, 2, 7, 64, 65, 1000}) {
        for (const std::int64_t grain : {1, 3, 64}) {
            for (const int threads : {1, 2, 3, 8}) {
                std::int64_t next = 0;
                const std::set<Range> parts = parts_of(count, grain, threads);
                EXPECT_LE(std::ssize(parts), threads);
                for (const auto& [begin, end] : parts) {
                    EXPECT_EQ(begin, next) << count << " " << grain << " " << threads;
                    EXPECT_EQ(begin % grain, 0);
                    EXPECT_GT(end, begin);
                    next = end;
                }
                EXPECT_EQ(next, count);
            }
        }
    }
}

TEST(ParallelFor, AnEmptyRangeCallsNothing) {
    EXPECT_TRUE(parts_of(0, 1, 4).empty());
    EXPECT_TRUE(parts_of(-3, 1, 4).empty());
}

TEST(ParallelFor, UsesAsManyPartsAsThreadsWhenThereIsEnoughToDo) {
    EXPECT_EQ(parts_of(100, 1, 4).size(), 4U);
    EXPECT_EQ(parts_of(100, 50, 4).size(), 2U);
    EXPECT_EQ(std::ssize(parts_of(100, 1, 0)), default_threads());
}

TEST(ParallelFor, PartsReallyRunAtTheSameTime) {
    // Each part waits until the other has begun: serial execution would never end.
    std::atomic<int> begun = 0;
    parallel_for(2, 1, 2, [&](std::int64_t, std::int64_t) {
        ++begun;
        while (begun < 2) {
            std::this_thread::yield();
        }
    });
    EXPECT_EQ(begun, 2);
}

TEST(ParallelFor, RethrowsWhatAPartThrowsAfterAllPartsAreDone) {
    for (const std::int64_t bad : {0, 3}) {
        std::atomic<int> finished = 0;
        try {
            parallel_for(4, 1, 4, [&](std::int64_t begin, std::int64_t) {
                if (begin == bad) {
                    throw std::runtime_error("part refused");
                }
                ++finished;
            });
            FAIL() << "nothing was thrown";
        } catch (const std::runtime_error& error) {
            EXPECT_STREQ(error.what(), "part refused");
        }
        EXPECT_EQ(finished, 3);
    }
    EXPECT_EQ(parts_of(4, 1, 4).size(), 4U) << "the pool must survive";
}

TEST(ParallelFor, ANestedCallRunsSeriallyOnItsThread) {
    std::atomic<int> nested_parts = 0;
    parallel_for(2, 1, 2, [&](std::int64_t, std::int64_t) {
        const std::thread::id own = std::this_thread::get_id();
        parallel_for(10, 1, 4, [&](std::int64_t begin, std::int64_t end) {
            EXPECT_EQ(std::this_thread::get_id(), own);
            EXPECT_EQ(begin, 0);
            EXPECT_EQ(end, 10);
            ++nested_parts;
        });
    });
    EXPECT_EQ(nested_parts, 2);
}

TEST(ParallelFor, CallsFromSeveralThreadsDoNotDisturbEachOther) {
    constexpr int kCallers = 4;
    constexpr int kRounds = 100;
    std::vector<std::int64_t> sums(kCallers, 0);
    std::vector<std::thread> callers;
    for (std::size_t caller = 0; caller < kCallers; ++caller) {
        callers.emplace_back([&, caller] {
            for (int round = 0; round < kRounds; ++round) {
                std::vector<std::int64_t> marks(50, 0);
                parallel_for(50, 1, 3, [&](std::int64_t begin, std::int64_t end) {
                    for (std::int64_t i = begin; i < end; ++i) {
                        marks[i] += i;
                    }
                });
                for (const std::int64_t mark : marks) {
                    sums[caller] += mark;
                }
            }
        });
    }
    for (std::thread& caller : callers) {
        caller.join();
    }
    for (const std::int64_t sum : sums) {
        EXPECT_EQ(sum, kRounds * 50 * 49 / 2);
    }
}

}  // namespace
}  // namespace ropescope
