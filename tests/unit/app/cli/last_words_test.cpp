#include "app/cli/last_words.h"

#include <csignal>
#include <functional>
#include <gtest/gtest.h>
#include <latch>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

#include "app/plot/pdf_document.h"
#include "core/base/error.h"

extern "C" void g_log(const char* domain, int level, const char* format,
                      ...);  // of GLib; level 1 << 2 is an error

namespace ropescope::cli {
namespace {

/// Like a destructor or a function of a library that throws nothing.
void end_in(const std::function<void()>& work) noexcept {
    work();
}

TEST(LastWords, MemoryThatEndsWhereNoExceptionCanPassIsOneLineAndExitCodeThree) {
    EXPECT_EXIT(
        {
            tell_why_it_ends();
            end_in([] { throw std::bad_alloc(); });
        },
        testing::ExitedWithCode(3), "^ropescope: out of memory; [^\n]*\n$");
}

TEST(LastWords, OfSeveralThreadsOneSaysThem) {
    EXPECT_EXIT(
        {
            tell_why_it_ends();
            std::latch ready(8);
            std::vector<std::thread> threads;
            for (int i = 0; i < 8; ++i) {
                threads.emplace_back([&] {
                    ready.arrive_and_wait();
                    end_in([] { throw std::bad_alloc(); });
                });
            }
            threads.front().join();
        },
        testing::ExitedWithCode(3), "^ropescope: out of memory; [^\n]*\n$");
}

TEST(LastWords, WhatTheMachineLacksIsToldThereToo) {
    EXPECT_EXIT(
        {
            tell_why_it_ends();
            end_in([] { throw CapabilityError("letters need a thread"); });
        },
        testing::ExitedWithCode(3), "^ropescope: letters need a thread\n$");
}

TEST(LastWords, AnErrorThatGLibEndsTheProgramForIsTold) {
    EXPECT_EXIT(
        {
            tell_why_it_ends();
            plot::PdfDocument({100, 100}, "letters")
                .painter()
                .text_size("a", {plot::Face::regular, 9, {}});
            g_log("GLib", 1 << 2, "creating thread 'letters': no more");
        },
        testing::ExitedWithCode(3),
        "^ropescope: letters cannot be drawn: creating thread 'letters': no more; [^\n]*\n$");
}

TEST(LastWords, AnyOtherErrorEndsTheProgramAsBefore) {
    EXPECT_EXIT(
        {
            tell_why_it_ends();
            end_in([] { throw std::runtime_error("a fault of ours"); });
        },
        testing::KilledBySignal(SIGABRT), "a fault of ours");
}

}  // namespace
}  // namespace ropescope::cli
