#include "tests/bench/ratio.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <vector>

namespace ropescope::bench {
namespace {

constexpr int kRounds = 41;
constexpr int kFewRounds = 5;
constexpr int kWarmUps = 3;
/// The part of the rounds that other programs on the machine surely left alone.
constexpr double kQuiet = 0.1;

/// Of the clock on the wall, and of the processors, all threads together.
struct Seconds {
    double wall = 0.0;
    double processor = 0.0;
};

double processor_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

Seconds seconds(const std::function<void()>& call) {
    const auto start = std::chrono::steady_clock::now();
    const double processor = processor_seconds();
    call();
    benchmark::ClobberMemory();
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
            processor_seconds() - processor};
}

/// What one side of a comparison took, round by round.
struct Rounds {
    std::vector<double> wall;
    std::vector<double> processor;

    void add(Seconds seconds, double share) {
        wall.push_back(seconds.wall / share);
        processor.push_back(seconds.processor / share);
    }
};

/// The value that `part` of the values lie below.
double quantile(std::vector<double> values, double part) {
    const double place = part * static_cast<double>(values.size() - 1);
    const auto nth = values.begin() + std::lround(place);
    std::nth_element(values.begin(), nth, values.end());
    return *nth;
}

/// A counter's value, 0 when it is not there.
double counter(const benchmark::BenchmarkReporter::Run& run, const char* name) {
    const auto found = run.counters.find(name);
    return found == run.counters.end() ? 0.0 : found->second.value;
}

/// ", 180 GFLOP/s" where the limit's operations were counted.
std::string rate_of(const benchmark::BenchmarkReporter::Run& run) {
    const double rate = counter(run, "limit_gflops");
    return rate > 0.0 ? fmt::format(", {:.0f} GFLOP/s", rate) : "";
}

}  // namespace

void in_turns(benchmark::internal::Benchmark* benchmark) {
    benchmark->UseManualTime()->Iterations(kRounds)->Unit(benchmark::kMillisecond);
}

void in_few_turns(benchmark::internal::Benchmark* benchmark) {
    benchmark->UseManualTime()->Iterations(kFewRounds)->Unit(benchmark::kMillisecond);
}

void compare(benchmark::State& state, double target, const std::function<void()>& subject,
             const std::function<void()>& limit, double limit_share) {
    const int warm_ups = state.max_iterations < kRounds ? 1 : kWarmUps;
    for (int i = 0; i < warm_ups; ++i) {
        subject();
        limit();
    }
    Rounds subjects;
    Rounds limits;
    bool subject_first = true;
    while (state.KeepRunning()) {
        const Seconds first = seconds(subject_first ? subject : limit);
        const Seconds second = seconds(subject_first ? limit : subject);
        subjects.add(subject_first ? first : second, 1.0);
        limits.add(subject_first ? second : first, limit_share);
        state.SetIterationTime(subjects.wall.back());
        subject_first = !subject_first;
    }
    const auto ratio = [&](const auto& times, double part) {
        return quantile(times(subjects), part) / quantile(times(limits), part);
    };
    const auto wall = [](const Rounds& rounds) { return rounds.wall; };
    const auto processor = [](const Rounds& rounds) { return rounds.processor; };
    state.counters["ratio"] = ratio(wall, 0.5);
    state.counters["quiet"] = ratio(wall, kQuiet);
    state.counters["work"] = ratio(processor, 0.5);
    state.counters["subject_ms"] = 1e3 * quantile(subjects.wall, 0.5);
    state.counters["limit_ms"] = 1e3 * quantile(limits.wall, 0.5);
    state.counters["target"] = target;
}

void set_limit_flops(benchmark::State& state, double flops) {
    const double limit_s = 1e-3 * state.counters["limit_ms"].value;
    state.counters["limit_gflops"] = 1e-9 * flops / limit_s;
}

void set_budget_ms(benchmark::State& state, double budget_ms) {
    state.counters["budget_ms"] = budget_ms;
}

namespace {

/// What went wrong in a run; Google Benchmark 1.8 gave it other names. Empty if nothing did.
template <typename Run>
std::optional<std::string> failure_of(const Run& run) {
    if constexpr (requires { run.error_occurred; }) {
        return run.error_occurred ? std::optional(run.error_message) : std::nullopt;
    } else {
        return run.skipped ? std::optional(run.skip_message) : std::nullopt;
    }
}

}  // namespace

bool TableReporter::ReportContext(const Context& /*context*/) {
    GetOutputStream() << fmt::format("{:<44} {:>10}  {:>10}  {:>9}  {:>9}  {}\n", "name", "ratio",
                                     "quiet", "work", "target", "medians");
    return true;
}

void TableReporter::ReportRuns(const std::vector<Run>& runs) {
    for (const Run& run : runs) {
        const std::string name = run.run_name.function_name;
        if (const std::optional<std::string> failure = failure_of(run)) {
            GetErrorStream() << name << ": " << *failure << "\n";
        } else if (const double ratio = counter(run, "ratio"); ratio > 0.0) {
            GetOutputStream() << fmt::format(
                "{:<44} {:>9.2f}x  {:>9.2f}x  {:>8.2f}x  {:>8.2f}x  {:.3f} ms over {:.3f} ms{}\n",
                name, ratio, counter(run, "quiet"), counter(run, "work"), counter(run, "target"),
                counter(run, "subject_ms"), counter(run, "limit_ms"), rate_of(run));
        } else {
            const double budget = counter(run, "budget_ms");
            const double ms =
                run.GetAdjustedRealTime() / benchmark::GetTimeUnitMultiplier(run.time_unit) * 1e3;
            GetOutputStream() << fmt::format("{:<44} {:>7.3f} ms  {:>10}  {:>9}  {:>9}\n", name, ms,
                                             "", "",
                                             budget > 0.0 ? fmt::format("{:.1f} ms", budget) : "");
        }
    }
    GetOutputStream().flush();
}

}  // namespace ropescope::bench
