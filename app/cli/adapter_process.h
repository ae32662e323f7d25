// Another program that answers one line for each line: started once, watched, and gone at the end
// together with everything that it has started.
#pragma once

#include <chrono>
#include <string>
#include <sys/types.h>
#include <vector>

#include "app/cli/held_signals.h"
#include "app/cli/orphans.h"
#include "core/base/descriptor.h"

namespace ropescope::cli {

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
