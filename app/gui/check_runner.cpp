#include "app/gui/check_runner.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/checks/report.h"

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

}  // namespace

CheckRunner::~CheckRunner() {
    stop_ = true;
    if (thread_.joinable()) {
        thread_.join();
    }
}

void CheckRunner::update(ChecksState& state, void (*wake)()) {
    if (state.phase == ChecksState::Phase::asked) {
        if (thread_.joinable()) {
            thread_.join();  // the run before has told that it is over
        }
        state = {.phase = ChecksState::Phase::running};
        thread_ = std::thread([this, wake] { run(wake); });
    }
    const std::lock_guard lock(mutex_);
    if (news_) {
        state = *std::exchange(news_, std::nullopt);
    }
}

void CheckRunner::run(void (*wake)()) {
    // An engine of its own with one thread: the window keeps the other processor.
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    const std::vector<const Check*> checks = select_checks("*");
    ChecksState state{.phase = ChecksState::Phase::running,
                      .total = static_cast<int>(checks.size())};
    const auto tell = [&] {
        {
            const std::lock_guard lock(mutex_);
            news_ = state;
        }
        wake();
    };
    try {
        run_checks(checks, {.engines = {engine.get()}}, [&](const CheckResult& result) {
            if (stop_) {
                throw Stopped{};
            }
            count(state, result);
            tell();
        });
    } catch (const Stopped&) {
        return;
    }
    state.phase = ChecksState::Phase::over;
    tell();
}

}  // namespace ropescope::gui
