// The CPU engine: its name, its device, and its curves in runs and one by one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

#include "core/engine/engine.h"

namespace ropescope {
namespace {

TEST(CpuEngine, SaysWhatItRunsOn) {
    const std::unique_ptr<Engine> engine = make_cpu_engine(2);
    EXPECT_EQ(engine->name(), "cpu");
    EXPECT_THAT(engine->device(), ::testing::HasSubstr(", 2 threads"));
    EXPECT_THAT(make_cpu_engine(1)->device(), ::testing::EndsWith(", 1 thread"));
}

TEST(CpuEngine, DoesWhatTheFreeFunctionsDo) {
    const std::unique_ptr<Engine> engine = make_cpu_engine();
    const Spectrum spectrum = make_spectrum({.head_dim = 8, .rotary_dim = 8});
    const RotationTable table = engine->table(spectrum, 100, 3);
    EXPECT_EQ(table.cos, make_rotation_table(spectrum, 100, 3).cos);

    std::vector<float> x = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    std::vector<float> y = x;
    const std::vector<std::int64_t> rows = {2, 0};
    const RotateOptions options = {Layout::interleaved, Direction::inverse, rows, 0};
    engine->rotate_in_place(bhld_view(x.data(), 1, 1, 2, 8), table.view(), options);
    rotate_in_place(bhld_view(y.data(), 1, 1, 2, 8), table.view(), options);
    EXPECT_EQ(x, y);
}

TEST(CpuEngine, CurvesAreTheSameBitsOnAnyNumberOfThreads) {
    const Spectrum spectrum = make_spectrum({.head_dim = 24, .rotary_dim = 24});
    const std::vector<double> a(12, 0.7), b(12, -1.3);
    std::vector<std::int64_t> run(1001), scattered;
    std::iota(run.begin(), run.end(), 12345);
    for (const std::int64_t distance : run) {
        scattered.push_back(distance * 37 - 20000);
    }
    for (const auto& distances : {run, scattered}) {
        const PairCurves one = make_cpu_engine(1)->pair_curves(spectrum, distances, {a, b});
        for (const int threads : {2, 3, 8}) {
            const PairCurves more =
                make_cpu_engine(threads)->pair_curves(spectrum, distances, {a, b});
            EXPECT_EQ(more.even, one.even) << threads;
            EXPECT_EQ(more.odd, one.odd) << threads;
            EXPECT_EQ(more.moduli, one.moduli) << threads;
        }
        const PairCurves whole = distances == run
                                     ? pair_curves_run(spectrum, run.front(), 1001, {a, b})
                                     : pair_curves(spectrum, scattered, {a, b});
        EXPECT_EQ(one.even, whole.even) << "and those of one walk";
        EXPECT_EQ(one.moduli, whole.moduli);
    }
}

}  // namespace
}  // namespace ropescope
