// `probe` with adapters that the tests write; at the end nothing of them is left.
#pragma once

#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

#include "core/base/file.h"
#include "core/base/write_file.h"
#include "tests/support/paths.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {

namespace fs = std::filesystem;

inline const fs::path kAdapters = fs::path(source_dir()) / "docs/verify/adapters";

/// Puts `to` in place of `from`, which must be there.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, text.npos) << from;
    return at == text.npos ? text : text.replace(at, from.size(), to);
}

class Probe : public ::testing::Test {
  protected:
    Probe() { fs::create_directory(temp_ / "tmp"); }

    RunResult probe(std::vector<std::string> options, const std::vector<std::string>& command) {
        options.insert(options.begin(), "probe");
        options.emplace_back("--");
        options.insert(options.end(), command.begin(), command.end());
        RunOptions run;
        run.environment = {{"TMPDIR", (temp_ / "tmp").string()}, {"OUT", temp_.path().string()}};
        return run_ropescope(options, run);
    }
    RunResult probe_shell(const std::string& script, const std::string& timeout = "20") {
        return probe({"--config", "llama-2-7b", "--timeout", timeout}, {"/bin/sh", "-c", script});
    }
    /// The NumPy adapter with one change.
    std::vector<std::string> numpy(const std::string& from = "base", const std::string& to = "base",
                                   const std::string& base = "10000") {
        const std::string path = (temp_ / "adapter.py").string();
        write_file_whole(path, replaced(read_file(kAdapters / "numpy_adapter.py"), from, to));
        return {"/usr/bin/python3", path, base};
    }
    /// A Python program that does `answer` for each request: `path` is the file to write
    /// and `line` the answer.
    RunResult probe_python(const std::string& answer, std::vector<std::string> options = {}) {
        std::string indented = "    ";
        for (const char c : answer) {
            indented += c == '\n' ? std::string("\n    ") : std::string(1, c);
        }
        const std::string script = (temp_ / "adapter.py").string();
        write_file_whole(script,
                         "import json, os, socket, subprocess, sys, time\n"
                         "for line in sys.stdin:\n"
                         "    job = json.loads(line)\n"
                         "    path = job['output']\n"
                         "    line = json.dumps({'id': job['id']})\n" +
                             indented + "\n    print(line, flush=True)\n");
        options.insert(options.begin(), {"--config", "llama-2-7b", "--timeout", "20"});
        return probe(std::move(options), {"/usr/bin/python3", script});
    }
    /// What the adapter wrote to $OUT/pid is the number of a process that is gone.
    void expect_gone() {
        const pid_t pid = std::stoi(read_file(temp_ / "pid"));
        for (int i = 0; i < 100 && ::kill(pid, 0) == 0; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        EXPECT_TRUE(::kill(pid, 0) == -1 && errno == ESRCH) << pid;
    }
    ~Probe() override { EXPECT_TRUE(fs::is_empty(temp_ / "tmp")) << "requests are left"; }

    TempFolder temp_;
};

}  // namespace ropescope::test
