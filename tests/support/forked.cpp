// Forks, waits for the child, and says how it ended.
#include "tests/support/forked.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <stdexcept>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#ifndef __has_feature  // GCC
#define __has_feature(name) 0
#endif

namespace ropescope::test {
namespace {

constexpr unsigned kMostSeconds = 30;
constexpr int kWrong = 1;

[[noreturn]] void run_in_child(const std::function<bool()>& body) {
    ::alarm(kMostSeconds);
    bool right = false;
    try {
        right = body();
    } catch (const std::exception& error) {
        fmt::print(stderr, "in the child: {}\n", error.what());
    }
    std::exit(right ? 0 : kWrong);
}

int status_of(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            throw std::system_error(errno, std::generic_category(), "waitpid");
        }
    }
    return status;
}

}  // namespace

std::string problem_in_child(const std::function<bool()>& body) {
    std::fflush(nullptr);  // or the child writes it a second time
    const pid_t child = ::fork();
    if (child < 0) {
        throw std::system_error(errno, std::generic_category(), "fork");
    }
    if (child == 0) {
        run_in_child(body);
    }
    const int status = status_of(child);
    if (WIFSIGNALED(status)) {
        return WTERMSIG(status) == SIGALRM ? "the child hangs"
                                           : fmt::format("signal {}", WTERMSIG(status));
    }
    return status == 0                     ? ""
           : WEXITSTATUS(status) == kWrong ? "the child computes wrongly"
                                           : fmt::format("exit code {}", WEXITSTATUS(status));
}

std::string no_children_here(OtherThreads others) {
#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
    return "the thread sanitizer ends a child that starts threads if its parent had some";
#elif defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
    if (others == OtherThreads::busy) {
        return "the address sanitizer's own locks stay locked in a child, and it takes what other "
               "threads held for leaks";
    }
#endif
    static_cast<void>(others);
    return "";
}

}  // namespace ropescope::test
