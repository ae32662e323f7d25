// Runs a program as a user would and keeps everything it said.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/patience.h"

namespace ropescope::test {

struct RunOptions {
    /// Added to this process's environment; an empty value removes the variable.
    std::vector<std::pair<std::string, std::string>> environment;
    std::string standard_input = {};
    std::filesystem::path directory = {};  ///< empty: the current one
    std::chrono::seconds timeout{120 * kPatience};
};

struct RunResult {
    int exit_code = -1;  ///< 128 + signal when a signal ended it; -1 when the timeout did
    std::string out;
    std::string err;
};

/// Runs `command` (looked up on PATH) with its arguments. Throws std::runtime_error when it cannot
/// be started; a program that outlives the timeout is killed.
RunResult run_command(const std::vector<std::string>& command, const RunOptions& options = {});

/// The ropescope of this build.
RunResult run_ropescope(const std::vector<std::string>& arguments, const RunOptions& options = {});

}  // namespace ropescope::test
