// Runs checks one by one on the window's own thread.
#include "app/web/check_steps.h"

#include <chrono>
#include <memory>
#include <span>

#include "core/checks/check_run.h"
#include "core/engine/broken_engine.h"

namespace ropescope::web {

bool CheckSteps::advance(gui::AppState& state, double seconds) {
    using Clock = std::chrono::steady_clock;
    using Phase = gui::ChecksState::Phase;
    gui::ChecksState& checks = state.checks;
    if (checks.phase == Phase::asked) {
        checks = {.phase = Phase::running, .fault = checks.fault};
        left_ = checks.run.asked;
    }
    if (checks.phase != Phase::running) {
        return false;
    }
    const std::unique_ptr<Engine> broken = checks.fault == EngineFault::none
                                               ? nullptr
                                               : make_broken_engine(*state.engine, checks.fault);
    const CheckContext context{.engines = {broken ? broken.get() : state.engine}};
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    while (!left_.empty() && Clock::now() < end) {
        const Check* next = left_.front();
        left_.erase(left_.begin());
        checks.run.results.push_back(run_checks(std::span(&next, 1), context).results.front());
    }
    if (left_.empty()) {
        checks.phase = Phase::over;
    }
    return !left_.empty();
}

}  // namespace ropescope::web
