// Signals that would end this program while something must be put away first.
#pragma once

#include <csignal>
#include <functional>
#include <string_view>
#include <sys/types.h>

#include "core/base/file.h"

namespace ropescope::cli {

/// A signal that asks this program to end. It is thrown where a child must be ended first.
struct Interrupted {
    int signal = 0;
};

/// While it lives, every signal whose default ends a program waits in a descriptor instead, unless
/// it is ignored (nohup); and writing to a pipe that nobody reads is an error alone. What cannot be
/// held is SIGKILL, and a fault of the program's own.
/// Make it before any other thread starts, which would take the signals.
class HeldSignals {
  public:
    HeldSignals();
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;
    ~HeldSignals();

    int descriptor() const { return signals_.get(); }
    /// The signal that has come; 0 if none has.
    int taken() const;
    /// Throws Interrupted if a signal has come.
    void throw_if_taken() const;

  private:
    sigset_t before_ = {};
    Descriptor signals_;
};

/// Does the work of a command while signals are held, and returns its exit code. If the work throws
/// Interrupted, the signal ends the program as if it had never been held.
int with_held_signals(const std::function<int(const HeldSignals&)>& work);

/// Writes as much to standard error as a reader has room for; returns how much, or -1 if nobody
/// reads it. Never waits.
ssize_t write_error_without_waiting(std::string_view text);

}  // namespace ropescope::cli
