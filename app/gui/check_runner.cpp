#include "app/gui/check_runner.h"

#include <memory>
#include <utility>

#include "core/checks/report.h"

namespace ropescope::gui {
namespace {

struct Stopped {};

void run(const std::stop_token& stop, const BackgroundJob<ChecksState>::Tell& tell) {
    // An engine of its own with one thread: the window keeps the other processor.
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    const CheckContext context{.engines = {engine.get()}};
    // What needs another engine is told as skipped, so that the list is whole.
    const std::vector<const Check*> checks = select_checks("*");
    ChecksState state{.phase = ChecksState::Phase::running,
                      .total = static_cast<int>(checks.size())};
    try {
        run_checks(checks, context, [&](const CheckResult& result) {
            if (stop.stop_requested()) {
                throw Stopped{};
            }
            state.run.results.push_back(result);
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
        state = {.phase = ChecksState::Phase::running,
                 .total = static_cast<int>(all_checks().size())};
        job_.start(run, wake);
    }
    if (std::optional<ChecksState> news = job_.take()) {
        state = *std::move(news);
    }
}

}  // namespace ropescope::gui
