// Starts Xvfb and programs on it, and drives them with xdotool.
#include "tests/gui/display.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "tests/support/run_program.h"

namespace ropescope::test {
namespace {

using namespace std::chrono_literals;

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> out;
    out.reserve(words.size() + 1);
    for (std::string& word : words) {
        out.push_back(word.data());
    }
    out.push_back(nullptr);
    return out;
}

/// Reads a line from Xvfb's -displayfd, which it writes when it is ready.
std::string read_line(int fd) {
    std::string line;
    pollfd ready{fd, POLLIN, 0};
    while (line.find('\n') == std::string::npos) {
        char c = 0;
        if (poll(&ready, 1, 30000) != 1 || read(fd, &c, 1) != 1) {
            throw std::runtime_error("Xvfb does not start");
        }
        line += c;
    }
    line.pop_back();
    return line;
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command,
                           const std::vector<std::pair<std::string, std::string>>& environment,
                           int pass_fd) {
    std::vector<std::string> words = command;
    const std::vector<char*> arguments = pointers(words);
    pid_ = fork();
    if (pid_ < 0) {
        throw std::runtime_error("fork failed");
    }
    if (pid_ == 0) {
        for (const auto& [name, value] : environment) {
            setenv(name.c_str(), value.c_str(), 1);
        }
        if (pass_fd >= 0) {
            fcntl(pass_fd, F_SETFD, 0);
        }
        execvp(arguments[0], arguments.data());
        _exit(127);
    }
}

bool ChildProcess::alive() {
    return pid_ > 0 && waitpid(pid_, &status_, WNOHANG) == 0;
}

int ChildProcess::wait(double seconds) {
    const auto end =
        std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds * kPatience);
    while (pid_ > 0 && waitpid(pid_, &status_, WNOHANG) == 0) {
        if (std::chrono::steady_clock::now() > end) {
            return -1;
        }
        std::this_thread::sleep_for(10ms);
    }
    pid_ = -1;
    return WIFSIGNALED(status_) ? 128 + WTERMSIG(status_) : WEXITSTATUS(status_);
}

ChildProcess::~ChildProcess() {
    if (pid_ > 0) {
        kill(pid_, SIGTERM);
        if (wait(10) == -1) {
            kill(pid_, SIGKILL);
            wait(10);
        }
    }
}

Display::Display(int width, int height) : width_(width), height_(height) {
    int ends[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC) != 0) {
        throw std::runtime_error("no pipe");
    }
    server_ = std::make_unique<ChildProcess>(
        std::vector<std::string>{"Xvfb", "-displayfd", std::to_string(ends[1]), "-screen", "0",
                                 std::to_string(width) + "x" + std::to_string(height) + "x24",
                                 "-noreset", "-nolisten", "tcp", "-r"},
        std::vector<std::pair<std::string, std::string>>{}, ends[1]);
    close(ends[1]);
    const std::string number = read_line(ends[0]);
    close(ends[0]);
    name_ = ":" + number;
}

void Display::act(const std::vector<std::string>& arguments) const {
    std::vector<std::string> command = {"xdotool"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const RunResult result = run_command(command, {.environment = {{"DISPLAY", name_}}});
    if (result.exit_code != 0) {
        throw std::runtime_error("xdotool: " + result.err);
    }
}

void Display::wait_for_window() const {
    constexpr int kTimes = 50;
    for (int time = 1;; ++time) {
        try {
            act({"search", "--sync", "--onlyvisible", "--class", "ropescope"});
            return;
        } catch (const std::runtime_error&) {
            if (time == kTimes) {
                throw;
            }
            std::this_thread::sleep_for(100ms);
        }
    }
}

void Display::key(const std::string& key) const {
    act({"keydown", key, "sleep", "0.1", "keyup", key, "sleep", "0.1"});
}

headless::Image Display::look() const {
    const RunResult result = run_command({"import", "-window", "root", "-depth", "8", "rgba:-"},
                                         {.environment = {{"DISPLAY", name_}}});
    headless::Image image{width_, height_, {}};
    image.pixels.resize(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_));
    if (result.out.size() != image.pixels.size() * sizeof(plot::Color)) {
        throw std::runtime_error("import: " + result.err);
    }
    std::memcpy(image.pixels.data(), result.out.data(), result.out.size());
    return image;
}

bool display_tools_installed() {
    return run_command({"sh", "-c", "command -v Xvfb && command -v xdotool && command -v import"})
               .exit_code == 0;
}

}  // namespace ropescope::test
