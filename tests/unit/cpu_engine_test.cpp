#include <gmock/gmock.h>
#include <gtest/gtest.h>
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

}  // namespace
}  // namespace ropescope
