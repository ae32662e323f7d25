// Benchmarks that are judged by a ratio to what this machine can do at best, or by a time budget.
// Absolute times move from machine to machine and from minute to minute; a ratio of two things
// measured in turns does not.
//
//   void scale_twice(benchmark::State& state) {
//       ...
//       bench::compare(state, 1.05, [&] { subject(); }, [&] { limit(); });
//   }
//   BENCHMARK(scale_twice)->Apply(bench::in_turns);
#pragma once

#include <benchmark/benchmark.h>
#include <functional>

namespace ropescope::bench {

/// Rounds of one measurement, and the settings that compare() needs.
void in_turns(benchmark::internal::Benchmark* benchmark);

/// The same for what takes seconds.
void in_few_turns(benchmark::internal::Benchmark* benchmark);

/// Times `subject` and `limit` in turns, one of each in every round, changing which goes first.
/// Reports subject / limit: the ratio of the medians, and the quartiles of the rounds' ratios as
/// its spread; and the ratio of processor time ("work"), which other programs on the machine hardly
/// change, but which does not see threads that wait for each other. The target is printed beside
/// it; missing it is not an error. Where `limit` does only a share of the work it stands for, its
/// time is divided by `limit_share`.
void compare(benchmark::State& state, double target, const std::function<void()>& subject,
             const std::function<void()>& limit, double limit_share = 1.0);

/// After compare(): the floating-point operations that `limit` stands for, so that the rate at
/// which this machine did them is printed too. States of a machine can then be told apart.
void set_limit_flops(benchmark::State& state, double flops);

/// For a benchmark of the ordinary kind that has a time budget: printed beside its time.
void set_budget_ms(benchmark::State& state, double budget_ms);

/// One line for each benchmark: name, ratio (or time), quiet ratio, target. Used by main().
class TableReporter final : public benchmark::BenchmarkReporter {
  public:
    bool ReportContext(const Context& context) override;
    void ReportRuns(const std::vector<Run>& runs) override;
};

}  // namespace ropescope::bench
