#include "app/gui/check_runner.h"

#include <memory>
#include <utility>

#include "core/checks/report.h"
#include "core/checks/runnable.h"

namespace ropescope::gui {
namespace {

struct Stopped {};

void count(ChecksState& state, const CheckResult& result) {
    ++state.done;
    state.passed += result.finding.status == Status::passed ? 1 : 0;
    if (result.finding.status == Status::failed) {
        ++state.failed;
        if (state.first_failed.empty()) {
            state.first_failed = result.check->id;
        }
    }
}

void run(const std::stop_token& stop, const BackgroundJob<ChecksState>::Tell& tell) {
    // An engine of its own with one thread: the window keeps the other processor.
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    const CheckContext context{.engines = {engine.get()}};
    const std::vector<const Check*> checks = runnable(select_checks("*"), context);
    ChecksState state{.phase = ChecksState::Phase::running,
                      .total = static_cast<int>(checks.size())};
    try {
        run_checks(checks, context, [&](const CheckResult& result) {
            if (stop.stop_requested()) {
                throw Stopped{};
            }
            count(state, result);
            tell(state);
        });
    } catch (const Stopped&) {
        return;
    }
    state.phase = ChecksState::Phase::over;
    tell(state);
}

}  // namespace

void CheckRunner::update(ChecksState& state, void (*wake)()) {
    if (state.phase == ChecksState::Phase::asked && !job_.running()) {
        state = {.phase = ChecksState::Phase::running};
        job_.start(run, wake);
    }
    if (std::optional<ChecksState> news = job_.take()) {
        state = *std::move(news);
    }
}

}  // namespace ropescope::gui
