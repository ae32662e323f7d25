#include "core/engine/timed_engine.h"

#include <chrono>
#include <gtest/gtest.h>
#include <thread>

#include "tests/support/mortal_engine.h"

namespace ropescope::test {
namespace {

TEST(TimedEngine, CountsWhatIsAskedOfItAndHowLongThatTook) {
    const auto cpu = make_cpu_engine(1);
    TimedEngine timed(*cpu);
    EXPECT_EQ(timed.calls(), 0);
    EXPECT_EQ(timed.name(), "cpu");
    const Spectrum spectrum = make_spectrum({64, 64, 10000.0, Layout::half_split});
    EXPECT_EQ(timed.table(spectrum, 0, 1000).cos, cpu->table(spectrum, 0, 1000).cos);
    EXPECT_EQ(timed.calls(), 1);
    const double table = timed.seconds();
    EXPECT_GT(table, 0.0);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(timed.seconds(), table) << "only its own calls count";

    const auto ops = timed.tensor_ops();
    const DeviceTensor a = ops->make(3, 4);
    ops->add(a, a, a);
    ops->download(a);
    EXPECT_EQ(timed.calls(), 3);
    EXPECT_GT(timed.seconds(), table);
}

TEST(TimedEngine, CountsACallThatFailsToo) {
    MortalEngine mortal(0);
    TimedEngine timed(mortal);
    EXPECT_THROW(timed.table(make_spectrum({8, 8, 10000.0, Layout::half_split}), 0, 1),
                 CapabilityError);
    EXPECT_EQ(timed.calls(), 1);
}

}  // namespace
}  // namespace ropescope::test
