#include <atomic>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/base/memo.h"
#include "tests/support/forked.h"

namespace ropescope {
namespace {

TEST(MadeOnce, IsMadeByTheFirstCallAndKept) {
    static int calls = 0;
    const auto value = []() -> const std::string& {
        return made_once([] { return "made " + std::to_string(++calls); });
    };
    EXPECT_EQ(calls, 0);
    EXPECT_EQ(value(), "made 1");
    EXPECT_EQ(&value(), &value());
    EXPECT_EQ(calls, 1);
}

TEST(MadeOnce, EachLambdaHasItsOwn) {
    EXPECT_EQ(made_once([] { return 1; }), 1);
    EXPECT_EQ(made_once([] { return 2; }), 2);
}

constexpr int kThreads = 4;
std::atomic<int> making = 0;

/// Each thread makes one while the others do.
const std::vector<int>& made_by_all() {
    return made_once([] {
        ++making;
        while (making < kThreads) {
            std::this_thread::yield();
        }
        return std::vector<int>{1, 2, 3};
    });
}

TEST(MadeOnce, ThreadsThatMakeItAtTheSameTimeGetTheSame) {
    std::vector<const std::vector<int>*> got(kThreads);
    std::vector<std::thread> threads;
    threads.reserve(kThreads);
    for (auto& place : got) {
        threads.emplace_back([&place] { place = &made_by_all(); });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(std::set(got.begin(), got.end()).size(), 1U);
    EXPECT_EQ(*got.front(), (std::vector<int>{1, 2, 3}));
}

std::atomic<bool> has_begun = false, may_end = false;

const std::string& made_slowly() {
    return made_once([] {
        has_begun = true;
        while (!may_end) {
            std::this_thread::yield();
        }
        return std::string("ready");
    });
}

// With a static variable the child would wait for a thread that it does not have.
TEST(MadeOnce, AChildThatIsForkedWhileAnotherThreadMakesItMakesItsOwn) {
    if (const std::string why = test::no_children_here(test::OtherThreads::busy); !why.empty()) {
        GTEST_SKIP() << why;
    }
    std::thread other([] { made_slowly(); });
    while (!has_begun) {
        std::this_thread::yield();
    }
    EXPECT_EQ(test::problem_in_child([] {
                  may_end = true;
                  return made_slowly() == "ready";
              }),
              "");
    may_end = true;
    other.join();
}

}  // namespace
}  // namespace ropescope
