#include "tests/support/run_program.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <poll.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/paths.h"

namespace ropescope::test {
namespace {

[[noreturn]] void fail(const std::string& what, int error) {
    throw std::runtime_error(what + ": " + std::strerror(error));
}

/// A file in memory that stands for one of the three standard streams.
class Stream {
  public:
    explicit Stream(const std::string& contents = {}) : fd_(memfd_create("stream", MFD_CLOEXEC)) {
        if (fd_ < 0 || pwrite(fd_, contents.data(), contents.size(), 0) < 0) {
            fail("memfd", errno);
        }
    }
    ~Stream() { close(fd_); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    int fd() const { return fd_; }
    std::string text() const {
        std::string text(static_cast<std::size_t>(lseek(fd_, 0, SEEK_END)), '\0');
        const ssize_t got = pread(fd_, text.data(), text.size(), 0);
        return text.substr(0, static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    }

  private:
    int fd_;
};

std::vector<std::string> merged_environment(const RunOptions& options) {
    std::map<std::string, std::string> variables;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        const std::size_t equals = text.find('=');
        variables[text.substr(0, equals)] = text.substr(equals + 1);
    }
    for (const auto& [name, value] : options.environment) {
        variables[name] = value;
    }
    std::vector<std::string> merged;
    for (const auto& [name, value] : variables) {
        if (!value.empty()) {
            merged.emplace_back(name).append("=").append(value);
        }
    }
    return merged;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> list;
    list.reserve(texts.size() + 1);
    for (std::string& text : texts) {
        list.push_back(text.data());
    }
    list.push_back(nullptr);
    return list;
}

pid_t start(std::vector<std::string> command, const RunOptions& options, const Stream& in,
            const Stream& out, const Stream& err) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in.fd(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out.fd(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err.fd(), STDERR_FILENO);
    if (!options.directory.empty()) {
        posix_spawn_file_actions_addchdir_np(&actions, options.directory.c_str());
    }
    std::vector<std::string> environment = merged_environment(options);
    pid_t pid = 0;
    const int error = posix_spawnp(&pid, command.front().c_str(), &actions, nullptr,
                                   pointers(command).data(), pointers(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        fail("cannot start " + command.front(), error);
    }
    return pid;
}

/// The exit code, or -1 after killing a program that did not end in time.
int wait_for(pid_t pid, std::chrono::milliseconds timeout) {
    const int handle = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
    pollfd ended{handle, POLLIN, 0};
    const bool in_time = poll(&ended, 1, static_cast<int>(timeout.count())) == 1;
    close(handle);
    if (!in_time) {
        kill(pid, SIGKILL);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    if (!in_time) {
        return -1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

RunResult run_command(const std::vector<std::string>& command, const RunOptions& options) {
    const Stream in(options.standard_input);
    const Stream out;
    const Stream err;
    RunResult result;
    result.exit_code = wait_for(start(command, options, in, out, err), options.timeout);
    result.out = out.text();
    result.err = err.text();
    return result;
}

RunResult run_ropescope(const std::vector<std::string>& arguments, const RunOptions& options) {
    std::vector<std::string> command = {program_path()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run_command(command, options);
}

}  // namespace ropescope::test
