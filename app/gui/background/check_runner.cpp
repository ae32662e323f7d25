// Runs the checks on a thread of its own and hands their results to the window.
#include "app/gui/background/check_runner.h"

#include <utility>
#include <variant>

#include "core/base/error.h"
#include "core/checks/check_run.h"

namespace ropescope::gui {
namespace {

struct Stopped {};

/// Without `gpu`, checks that compare engines are reported as skipped, so that the list is
/// complete.
void run(Engine& cpu, Engine* gpu, const std::stop_token& stop,
         const BackgroundJob<ChecksState>::Tell& tell) {
    CheckContext context{.engines = {&cpu}};
    if (gpu != nullptr) {
        context.engines.push_back(gpu);
    }
    const auto of_no_use = [&] {
        return stop.stop_requested() || (gpu != nullptr && gpu->kind() != EngineKind::gpu);
    };
    ChecksState state{.phase = ChecksState::Phase::running};
    try {
        run_checks(state.run.asked, context, [&](const CheckResult& result) {
            if (of_no_use()) {
                throw Stopped{};
            }
            state.run.results.push_back(result);
            tell(state);
        });
    } catch (const Stopped&) {
        return;
    } catch (const CapabilityError&) {
        return;  // the engine reports this to the window itself
    }
    if (!of_no_use()) {
        state.phase = ChecksState::Phase::over;
        tell(state);
    }
}

bool under_way_or_over(ChecksState::Phase phase) {
    return phase == ChecksState::Phase::running || phase == ChecksState::Phase::over;
}

}  // namespace

void CheckRunner::take_over(AppState& state, BackgroundJob<ChecksState>::Message message) {
    ChecksState& checks = state.checks;
    if (const auto* failure = std::get_if<Failure>(&message)) {
        checks.phase = ChecksState::Phase::over;
        state.error = failure->why;
        return;
    }
    auto& news = std::get<ChecksState>(message);
    news.fault = checks.fault;
    checks = std::move(news);
}

void CheckRunner::update(AppState& state, void (*wake)()) {
    ChecksState& checks = state.checks;
    const bool gpu = state.engine->kind() == EngineKind::gpu;
    if (under_way_or_over(checks.phase) && of_gpu_ != gpu) {
        job_.ask_to_stop();
        checks = {.phase = ChecksState::Phase::asked, .fault = checks.fault};
    }
    if (checks.phase == ChecksState::Phase::asked && job_.running() && of_fault_ != checks.fault) {
        job_.ask_to_stop();
    }
    std::optional<BackgroundJob<ChecksState>::Message> message = job_.take();
    if (checks.phase == ChecksState::Phase::asked && !job_.running()) {
        checks = {.phase = ChecksState::Phase::running, .fault = checks.fault};
        of_gpu_ = gpu;
        of_fault_ = checks.fault;
        job_.start(
            [this, gpu, fault = checks.fault](const std::stop_token& stop,
                                              const BackgroundJob<ChecksState>::Tell& tell) {
                const auto broken = fault == EngineFault::none
                                        ? nullptr
                                        : make_broken_engine(engines_.cpu(), fault);
                run(broken ? *broken : engines_.cpu(), gpu ? engines_.gpu() : nullptr, stop, tell);
            },
            wake);
    } else if (message && checks.phase == ChecksState::Phase::running) {
        take_over(state, *std::move(message));
    }
}

}  // namespace ropescope::gui
