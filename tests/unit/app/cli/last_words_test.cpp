#include "app/cli/last_words.h"

#include <csignal>
#include <functional>
#include <gtest/gtest.h>
#include <new>
#include <stdexcept>

namespace ropescope::cli {
namespace {

/// Like a destructor or a function of a library that throws nothing.
void end_in(const std::function<void()>& work) noexcept {
    work();
}

TEST(LastWords, MemoryThatEndsWhereNoExceptionCanPassIsOneLineAndExitCodeThree) {
    EXPECT_EXIT(
        {
            tell_when_memory_ends();
            end_in([] { throw std::bad_alloc(); });
        },
        testing::ExitedWithCode(3), "^ropescope: out of memory; [^\n]*\n$");
}

TEST(LastWords, AnyOtherErrorEndsTheProgramAsBefore) {
    EXPECT_EXIT(
        {
            tell_when_memory_ends();
            end_in([] { throw std::runtime_error("a fault of ours"); });
        },
        testing::KilledBySignal(SIGABRT), "a fault of ours");
}

}  // namespace
}  // namespace ropescope::cli
