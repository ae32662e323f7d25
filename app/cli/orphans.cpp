// Adopts and ends what a started program leaves.
#include "app/cli/orphans.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/prctl.h>
#include <sys/wait.h>

namespace ropescope::cli {
namespace {

namespace fs = std::filesystem;

/// The children of every thread of this process.
std::vector<pid_t> children() {
    std::vector<pid_t> found;
    std::error_code none;
    for (const auto& thread : fs::directory_iterator("/proc/self/task", none)) {
        std::ifstream list(thread.path() / "children");
        for (pid_t child = 0; list >> child;) {
            found.push_back(child);
        }
    }
    return found;
}

}  // namespace

Orphans::Orphans() : before_(children()) {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

Orphans::~Orphans() {
    // Those that a killed process leaves come in the next round; one that starts others faster than
    // they are killed must not keep us for ever.
    constexpr int kRounds = 100;
    for (int round = 0; round < kRounds; ++round) {
        std::vector<pid_t> left = children();
        std::erase_if(
            left, [&](pid_t child) { return std::ranges::find(before_, child) != before_.end(); });
        if (left.empty()) {
            break;
        }
        for (const pid_t child : left) {
            ::kill(child, SIGKILL);
            ::waitpid(child, nullptr, 0);
        }
    }
    ::prctl(PR_SET_CHILD_SUBREAPER, 0);
}

}  // namespace ropescope::cli
