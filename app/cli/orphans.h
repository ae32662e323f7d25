// What a program that was started has started in turn, also in sessions of its own.
#pragma once

#include <chrono>
#include <string>
#include <sys/types.h>
#include <vector>

namespace ropescope::cli {

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

}  // namespace ropescope::cli
