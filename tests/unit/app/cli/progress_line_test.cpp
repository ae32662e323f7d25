// What a long command says of its progress, on a terminal and elsewhere.
#include <array>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

#include "app/cli/output.h"

namespace ropescope::cli {
namespace {

using namespace std::chrono_literals;

TEST(ProgressLine, WritesALineOfItsOwnFromTimeToTime) {
    ::testing::internal::CaptureStderr();
    {
        ProgressLine line("encode", 20ms);
        line(0.1);  // too early
        std::this_thread::sleep_for(25ms);
        line(0.254);
        line(0.255);  // too early again
    }
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "ropescope: encode: 25.4 % done\n");
}

TEST(ProgressLine, SaysNothingOfShortWork) {
    ::testing::internal::CaptureStderr();
    {
        ProgressLine line("encode");
        line(0.5);
        line(1.0);
    }
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

/// What is written to standard error while it is a terminal.
template <typename Work>
std::string on_a_terminal(const Work& work) {
    const int screen = ::posix_openpt(O_RDWR | O_NOCTTY);
    EXPECT_GE(screen, 0);
    EXPECT_EQ(::grantpt(screen), 0);
    EXPECT_EQ(::unlockpt(screen), 0);
    const int terminal = ::open(::ptsname(screen), O_RDWR | O_NOCTTY);
    const int before = ::dup(STDERR_FILENO);
    ::dup2(terminal, STDERR_FILENO);
    work();
    ::dup2(before, STDERR_FILENO);
    ::close(before);
    ::close(terminal);
    // A terminal hands its output on in pieces; after the last one, reading fails because no
    // program has the terminal open any more.
    std::string seen;
    std::array<char, 256> piece{};
    for (ssize_t size = 0; (size = ::read(screen, piece.data(), piece.size())) > 0;) {
        seen.append(piece.data(), static_cast<std::size_t>(size));
    }
    ::close(screen);
    return seen;
}

TEST(ProgressLine, RewritesOneLineOnATerminalAndErasesIt) {
    const std::string seen = on_a_terminal([] {
        ProgressLine line("figure");
        line(0.051);
        line(0.052);  // the same percent
        line(0.5);
    });
    EXPECT_EQ(seen, "\rfigure   5 %\rfigure  50 %\r\x1b[K");
}

}  // namespace
}  // namespace ropescope::cli
