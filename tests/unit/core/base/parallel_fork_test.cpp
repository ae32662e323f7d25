// A child of fork() computes and ends, whatever the threads of its parent were doing.
#include <atomic>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

#include "core/base/parallel.h"
#include "tests/support/forked.h"

namespace ropescope {
namespace {

using test::OtherThreads;
using test::problem_in_child;

/// Whether a loop in `threads` parts visits each index once, and on that many threads: every part
/// waits until all have begun.
bool computes_in_parts(int threads) {
    std::vector<int> visits(100, 0);
    std::atomic<int> begun = 0;
    parallel_for(100, 1, threads, [&](std::int64_t begin, std::int64_t end) {
        ++begun;
        while (begun < threads) {
            std::this_thread::yield();
        }
        for (std::int64_t i = begin; i < end; ++i) {
            ++visits[i];
        }
    });
    return visits == std::vector<int>(100, 1);
}

void skip_unless_children_work(OtherThreads others) {
    if (const std::string why = test::no_children_here(others); !why.empty()) {
        GTEST_SKIP() << why;
    }
}

class ForkBesideIdleThreads : public testing::Test {
  protected:
    void SetUp() override { skip_unless_children_work(OtherThreads::idle); }
};

class ForkBesideBusyThreads : public testing::Test {
  protected:
    void SetUp() override { skip_unless_children_work(OtherThreads::busy); }
};

TEST_F(ForkBesideIdleThreads, AChildComputesAndEndsWhateverItsParentComputedBefore) {
    for (const int before : {1, 2, 3, 8}) {
        ASSERT_TRUE(computes_in_parts(before));
        ASSERT_EQ(problem_in_child([] { return true; }), "") << before;
        for (const int threads : {1, 2, 3, 8}) {
            ASSERT_EQ(problem_in_child([&] { return computes_in_parts(threads); }), "")
                << before << " " << threads;
        }
    }
}

TEST_F(ForkBesideIdleThreads, ChildrenInARowLeaveTheParentItsWorkers) {
    for (int child = 0; child < 20; ++child) {
        ASSERT_EQ(problem_in_child([] { return computes_in_parts(3); }), "") << child;
        ASSERT_TRUE(computes_in_parts(3));
    }
}

/// Whether this process, its child, the child of that and so on compute before and after they fork.
bool computes_in_generations(int more) {
    return computes_in_parts(2) &&
           (more == 0 ||
            problem_in_child([&] { return computes_in_generations(more - 1); }).empty()) &&
           computes_in_parts(3);
}

TEST_F(ForkBesideIdleThreads, ChildrenOfChildrenComputeToo) {
    EXPECT_TRUE(computes_in_generations(5));
}

TEST_F(ForkBesideIdleThreads, AGenerationThatComputesNothingStandsInNobodysWay) {
    ASSERT_TRUE(computes_in_parts(2));
    ASSERT_EQ(problem_in_child(
                  [] { return problem_in_child([] { return computes_in_parts(2); }).empty(); }),
              "");
}

void compute_until(const std::atomic<bool>& ended) {
    while (!ended) {
        parallel_for(8, 1, 3, [](std::int64_t, std::int64_t) {});
    }
}

TEST_F(ForkBesideBusyThreads, AChildComputesThoughOtherThreadsWereInTheMiddleOfACall) {
    std::atomic<bool> ended = false;
    std::vector<std::thread> others;
    others.reserve(2);
    for (int other = 0; other < 2; ++other) {
        others.emplace_back([&ended] { compute_until(ended); });
    }
    std::string problem;
    for (int child = 0; child < 300 && problem.empty(); ++child) {
        problem = problem_in_child([] { return computes_in_parts(2); });
    }
    ended = true;
    for (std::thread& other : others) {
        other.join();
    }
    EXPECT_EQ(problem, "");
}

TEST_F(ForkBesideBusyThreads, AChildThatIsForkedInAPartComputesOnThreadsOfItsOwn) {
    std::vector<std::string> problems(3, "no child");
    std::atomic<int> begun = 0;
    parallel_for(3, 1, 3, [&](std::int64_t begin, std::int64_t) {
        ++begun;
        while (begun < 3) {
            std::this_thread::yield();
        }
        problems[begin] =
            problem_in_child([] { return computes_in_parts(2) && computes_in_generations(2); });
    });
    EXPECT_EQ(problems, std::vector<std::string>(3, ""));
}

TEST_F(ForkBesideIdleThreads, AFirstCallInAChildIsLikeAFirstCallAnywhere) {
    ASSERT_EQ(problem_in_child([] { return computes_in_parts(4); }), "");
}

/// Ends with a thread that computes on and on.
bool leaves_a_thread() {
    static std::atomic<bool> ended = false;
    std::thread([] { compute_until(ended); }).detach();
    return computes_in_parts(2);
}

TEST_F(ForkBesideIdleThreads, AProcessEndsWhileAThreadOfItComputes) {
    for (int child = 0; child < 50; ++child) {
        ASSERT_EQ(problem_in_child(leaves_a_thread), "") << child;
    }
}

}  // namespace
}  // namespace ropescope
