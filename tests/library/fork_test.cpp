// ropescope.h in a child of fork(), and what of the library could make a child wait for ever.
#include <atomic>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "library/ropescope.h"
#include "tests/library/held_embedding.h"
#include "tests/support/forked.h"
#include "tests/support/paths.h"
#include "tests/support/run_program.h"

namespace ropescope {
namespace {

using test::OtherThreads;
using test::problem_in_child;

constexpr std::int64_t kHeads = 8, kPositions = 256, kChannels = 128;

ropescope_tensor dense(std::vector<float>& values) {
    return {sizeof(ropescope_tensor),
            values.data(),
            ROPESCOPE_F32,
            {1, kHeads, kPositions, kChannels},
            {kHeads * kPositions * kChannels, kPositions * kChannels, kChannels, 1}};
}

std::vector<float> turned(int threads) {
    ropescope_embedding* made = nullptr;
    EXPECT_EQ(ropescope_load("llama-3.1-8b", nullptr, &made), ROPESCOPE_OK) << ropescope_message();
    const Held held(made);
    std::vector<float> values(kHeads * kPositions * kChannels, 1.0F);
    const ropescope_tensor x = dense(values);
    EXPECT_EQ(ropescope_rotate(held.get(), &x, nullptr, 0, 0, threads), ROPESCOPE_OK)
        << ropescope_message();
    return values;
}

/// Whether a diagnosis, which asks for queries and keys at once, finds a right rotation right.
bool diagnoses(int threads) {
    std::vector<float> before(kHeads * kPositions * kChannels, 1.0F);
    std::vector<float> after = turned(threads);
    const ropescope_tensor x = dense(before), y = dense(after);
    ropescope_dump dump{};
    dump.size = sizeof dump;
    dump.q = dump.k = &x;
    dump.q_rot = dump.k_rot = &y;
    dump.expect = "llama-3.1-8b";
    char* json = nullptr;
    int passed = 0;
    const ropescope_status status = ropescope_diagnose(&dump, &json, &passed);
    ropescope_free_text(json);
    return status == ROPESCOPE_OK && passed == 1;
}

void skip_unless_children_work(OtherThreads others) {
    if (const std::string why = test::no_children_here(others); !why.empty()) {
        GTEST_SKIP() << why;
    }
}

class CInterfaceBesideIdleThreads : public testing::Test {
  protected:
    void SetUp() override { skip_unless_children_work(OtherThreads::idle); }
};

class CInterfaceBesideBusyThreads : public testing::Test {
  protected:
    void SetUp() override { skip_unless_children_work(OtherThreads::busy); }
};

TEST_F(CInterfaceBesideIdleThreads, ChildrenAndTheirChildrenComputeAndEnd) {
    for (const int before : {1, 2, 3, 8, 0}) {
        const std::vector<float> expected = turned(before);
        for (const int threads : {1, 2, 3, 8, 0}) {
            ASSERT_EQ(problem_in_child([&] {
                          return turned(threads) == expected &&
                                 problem_in_child([&] { return turned(2) == expected; }).empty();
                      }),
                      "")
                << before << " " << threads;
        }
    }
}

TEST_F(CInterfaceBesideIdleThreads, AChildDiagnoses) {
    ASSERT_TRUE(diagnoses(2));
    EXPECT_EQ(problem_in_child([] { return diagnoses(2); }), "");
}

TEST_F(CInterfaceBesideBusyThreads, AChildComputesThoughOtherThreadsWereInTheMiddleOfACall) {
    const std::vector<float> expected = turned(1);
    std::atomic<bool> ended = false;
    std::vector<std::thread> others;
    others.reserve(2);
    for (int other = 0; other < 2; ++other) {
        others.emplace_back([&ended] {
            while (!ended) {
                turned(3);
            }
        });
    }
    std::string problem;
    for (int child = 0; child < 100 && problem.empty(); ++child) {
        problem = problem_in_child([&] { return turned(2) == expected; });
    }
    ended = true;
    for (std::thread& other : others) {
        other.join();
    }
    EXPECT_EQ(problem, "");
}

// A static variable that another thread initialises at the fork is never ready in the child
// (core/base/memo.h). The compiler guards each such variable, and Clang marks its name; those of
// one thread wait for nobody.
TEST(CInterfaceAfterFork, NoStaticVariableOfTheLibraryMakesAChildWait) {
    const std::filesystem::path library =
        std::filesystem::path(test::program_path()).parent_path() / "library/libropescope.so";
    const test::RunResult listed = test::run_command({"nm", "-C", library});
    ASSERT_EQ(listed.exit_code, 0) << listed.err;
    ASSERT_THAT(listed.out, testing::HasSubstr("ropescope::model_presets()"));
    std::istringstream lines(listed.out);
    for (std::string line; std::getline(lines, line);) {
        EXPECT_TRUE(line.find("guard variable for ropescope::") == std::string::npos ||
                    line.find("message()::text") != std::string::npos ||
                    line.find("message[abi:cxx11]()::text") != std::string::npos)
            << line;
    }
}

}  // namespace
}  // namespace ropescope
