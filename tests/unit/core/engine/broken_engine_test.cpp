// The engine with a fault on purpose: each fault changes what it says, and nothing else.
#include "core/engine/broken_engine.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "core/checks/check_run.h"
#include "core/rope/rope_spec.h"

namespace ropescope {
namespace {

Spectrum spectrum() {
    return make_spectrum(RopeSpec{.head_dim = 8, .rotary_dim = 8});
}

TEST(BrokenEngine, EachFaultChangesTheTableAsItSays) {
    const auto right = make_cpu_engine(1);
    const RotationTable table = right->table(spectrum(), 3, 1);
    const RotationTable next = right->table(spectrum(), 4, 1);
    const auto of = [&](EngineFault fault) {
        return make_broken_engine(*right, fault)->table(spectrum(), 3, 1);
    };
    EXPECT_EQ(of(EngineFault::none).sin, table.sin);
    EXPECT_EQ(of(EngineFault::wrong_layout).cos, table.cos);
    EXPECT_EQ(of(EngineFault::off_by_one).cos, next.cos);
    for (std::size_t i = 0; i < table.sin.size(); ++i) {
        EXPECT_EQ(of(EngineFault::wrong_sign).sin[i], -table.sin[i]);
        EXPECT_EQ(of(EngineFault::wrong_sign).cos[i], table.cos[i]);
        // bf16 has 8 significant bits: half a unit in the last place is 2^-9 of the value.
        EXPECT_NEAR(of(EngineFault::bf16_table).cos[i], table.cos[i],
                    std::ldexp(std::abs(table.cos[i]), -8));
    }
    EXPECT_NE(of(EngineFault::bf16_table).cos, table.cos);
}

TEST(BrokenEngine, TheOtherLayoutTurnsOtherChannels) {
    const auto right = make_cpu_engine(1);
    const auto broken = make_broken_engine(*right, EngineFault::wrong_layout);
    const RotationTable table = right->table(spectrum(), 3, 1);
    const auto rotated = [&](Engine& engine, Layout layout) {
        std::vector<float> x = {1, 2, 3, 4, 5, 6, 7, 8};
        engine.rotate_in_place(TensorView<float>{x.data(), 1, 1, 1, 8, 8, 8, 8}, table.view(),
                               {.layout = layout});
        return x;
    };
    EXPECT_EQ(rotated(*broken, Layout::half_split), rotated(*right, Layout::interleaved));
    EXPECT_NE(rotated(*broken, Layout::half_split), rotated(*right, Layout::half_split));
}

TEST(BrokenEngine, EveryFaultTurnsACheckRedAndLeavesTheMathematicsGreen) {
    const auto right = make_cpu_engine(1);
    for (const EngineFault fault : {EngineFault::wrong_sign, EngineFault::wrong_layout,
                                    EngineFault::bf16_table, EngineFault::off_by_one}) {
        const auto broken = make_broken_engine(*right, fault);
        CheckContext context{.engines = {broken.get()}};
        const CheckRun run = run_checks(runnable(select_checks("*"), context), context);
        EXPECT_FALSE(run.ok()) << to_string(fault) << ": no check finds it";
        EXPECT_GT(run.count(Status::passed), run.count(Status::failed)) << to_string(fault);
        EXPECT_TRUE(run_checks(select_checks("scaling.*"), context).ok()) << to_string(fault);
    }
}

}  // namespace
}  // namespace ropescope
