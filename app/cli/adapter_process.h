// Another program that answers one line for each line: started once, watched, and gone at the end
// together with everything that it has started.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <sys/types.h>
#include <vector>

#include "app/cli/held_signals.h"
#include "core/base/file.h"

namespace ropescope::cli {

// What a program that was started has started in turn, also in sessions of its own.

/// Waits until the process has ended, without taking its status, so that its number is not given
/// to others yet. False if it goes on.
bool has_ended(pid_t pid, std::chrono::milliseconds within);

/// While it lives, a process whose parent ends becomes a child of this process instead of leaving
/// it (PR_SET_CHILD_SUBREAPER). At the end, every child that was not there before is killed; where
/// others were, whose children may come to us too, only those that carry `mark` in their
/// environment. Standard error names what lives on: a process that may not be killed, and
/// those of which nobody knows because /proc does not list children.
class Orphans {
  public:
    Orphans();
    Orphans(const Orphans&) = delete;
    Orphans& operator=(const Orphans&) = delete;
    ~Orphans();

    /// "NAME=VALUE", for the environment of what is started.
    const std::string& mark() const { return mark_; }

  private:
    bool is_ours(pid_t child) const;

    std::vector<pid_t> before_;
    std::string mark_;
    int was_reaper_ = 0;
};

/// Of an answer, in bytes.
inline constexpr std::size_t kLongestLine = std::size_t{1} << 20U;

class AdapterProcess {
  public:
    enum class Said { line, nothing_in_time, end, too_much };
    struct Reply {
        Said said = Said::line;
        std::string text = {};  ///< the line; of end: how it ended, with its last words
    };

    /// Starts the command, looked up on PATH, in a process group of its own. Throws InputError if
    /// it cannot be started. It is killed when this program is gone, however that ended. What it
    /// writes to standard error goes to ours, unless nobody has read that for long.
    AdapterProcess(const std::vector<std::string>& command, const HeldSignals& signals);
    AdapterProcess(const AdapterProcess&) = delete;
    AdapterProcess& operator=(const AdapterProcess&) = delete;
    /// Closes its input, gives it a moment to end, and kills what is left of it, of its group and
    /// of all that it has started. Waits for none of them longer than a moment.
    ~AdapterProcess();

    /// Writes the line and waits for one. Throws Interrupted.
    Reply ask(const std::string& line, std::chrono::milliseconds timeout);

  private:
    using Clock = std::chrono::steady_clock;
    enum class Wait { ready, late };

    void start(const std::vector<std::string>& command);
    /// Waits until something can be read or written, and passes on what came on standard error.
    Wait wait(bool writing, Clock::time_point until, bool& readable, bool& writable);
    bool write_some(std::string_view& rest);
    /// False at the end of its output.
    bool read_some();
    void take_errors();
    /// False if nobody reads our standard error.
    bool pass_errors_on();
    Reply ended();

    const HeldSignals& signals_;
    Orphans orphans_;
    Descriptor in_{-1}, out_{-1}, err_{-1};
    pid_t pid_ = -1;
    std::string buffer_, last_words_, unsaid_;
};

}  // namespace ropescope::cli
