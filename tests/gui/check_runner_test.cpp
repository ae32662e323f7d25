// The checks, run beside the window.
#include "app/gui/background/check_runner.h"

#include <chrono>
#include <gtest/gtest.h>
#include <stdexcept>
#include <thread>
#include <variant>

#include "app/lessons/lesson_checks.h"
#include "core/checks/check.h"
#include "tests/support/patience.h"

namespace ropescope::gui {
namespace {

struct CheckWindow {
    std::unique_ptr<Engine> engine = make_cpu_engine(1);
    AppState state;
    CheckWindow() { state.engine = engine.get(); }
};

TEST(CheckRunner, TellsHowFarItIsAndThenTheVerdict) {
    CheckWindow window;
    ChecksState& state = window.state.checks;
    CheckRunner runner;
    runner.update(window.state, [] {});
    EXPECT_EQ(state.phase, ChecksState::Phase::unknown) << "nobody has asked";
    state.phase = ChecksState::Phase::asked;
    const auto give_up =
        std::chrono::steady_clock::now() + std::chrono::minutes(4 * test::kPatience);
    int last = 0;
    while (state.phase != ChecksState::Phase::over) {
        ASSERT_LT(std::chrono::steady_clock::now(), give_up);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        runner.update(window.state, [] {});
        EXPECT_GE(state.done(), last);
        last = state.done();
    }
    EXPECT_EQ(state.total(),
              static_cast<int>(all_checks().size() + lessons::further_checks().size()));
    EXPECT_EQ(state.done(), state.total());
    EXPECT_TRUE(state.run.ok());
    EXPECT_GT(state.run.count(Status::passed), 0);
}

TEST(BackgroundJob, BeginsWithoutTheNewsOfTheJobBefore) {
    BackgroundJob<int> job;
    job.start([](const std::stop_token&, const BackgroundJob<int>::Tell& tell) { tell(1); }, [] {});
    while (job.running()) {
        std::this_thread::yield();
    }
    job.start([](const std::stop_token&, const BackgroundJob<int>::Tell&) {}, [] {});
    EXPECT_FALSE(job.take());
}

TEST(BackgroundJob, TellsTheErrorThatEndedIt) {
    BackgroundJob<int> job;
    job.start(
        [](const std::stop_token&, const BackgroundJob<int>::Tell& tell) {
            tell(1);
            throw std::runtime_error("the disk is full");
        },
        [] {});
    while (job.running()) {
        std::this_thread::yield();
    }
    const auto message = job.take();
    ASSERT_TRUE(message && std::holds_alternative<Failure>(*message));
    EXPECT_EQ(std::get<Failure>(*message).why, "the disk is full");
    EXPECT_FALSE(job.take()) << "it is told once";
}

TEST(CheckRunner, ARunCanBeLeft) {
    CheckWindow window;
    ChecksState& state = window.state.checks;
    state.phase = ChecksState::Phase::asked;
    {
        CheckRunner runner;
        runner.update(window.state, [] {});
    }
    EXPECT_EQ(state.phase, ChecksState::Phase::running) << "nothing was told any more";
}

}  // namespace
}  // namespace ropescope::gui
