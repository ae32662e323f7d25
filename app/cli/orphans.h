// What a program that was started has started in turn, also in sessions of its own.
#pragma once

#include <sys/types.h>
#include <vector>

namespace ropescope::cli {

/// While it lives, a process whose parent ends becomes a child of this process instead of leaving
/// it (PR_SET_CHILD_SUBREAPER). At the end, every child that was not there before is killed. Where
/// /proc does not list children, they live on.
class Orphans {
  public:
    Orphans();
    Orphans(const Orphans&) = delete;
    Orphans& operator=(const Orphans&) = delete;
    ~Orphans();

  private:
    std::vector<pid_t> before_;
};

}  // namespace ropescope::cli
