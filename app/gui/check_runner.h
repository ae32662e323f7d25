// The checks, run beside the window: the frame never waits for them.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <thread>

#include "app/gui/app_state.h"

namespace ropescope::gui {

class CheckRunner {
  public:
    CheckRunner() = default;
    /// Ends a run after the check that is under way.
    ~CheckRunner();
    CheckRunner(const CheckRunner&) = delete;
    CheckRunner& operator=(const CheckRunner&) = delete;

    /// Starts a run when one is asked for and takes over what there is to tell. `wake` is called
    /// from the other thread when something has changed. Once a frame.
    void update(ChecksState& state, void (*wake)());

  private:
    void run(void (*wake)());

    std::thread thread_;
    std::atomic<bool> stop_{false};
    std::mutex mutex_;
    std::optional<ChecksState> news_;  ///< under mutex_
};

}  // namespace ropescope::gui
