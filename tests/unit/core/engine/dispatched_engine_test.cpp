// The fallback when an engine fails in the middle of things, and the clock.
#include "core/engine/dispatched_engine.h"

#include <chrono>
#include <gmock/gmock.h>
#include <thread>

#include "tests/support/failing_engine.h"

namespace ropescope::test {
namespace {

const RopeSpec kSpec{8, 8, 10000.0, Layout::half_split};

TEST(Fallback, GoesOnWithTheSecondAndSaysSoOnce) {
    std::vector<std::string> told;
    const auto engine =
        make_failing_engine(1, {.engine = make_cpu_engine(1),
                                .tell = [&](const std::string& line) { told.push_back(line); }});
    EXPECT_EQ(engine->name(), "gpu");
    const Spectrum spectrum = make_spectrum(kSpec);
    const RotationTable table = engine->table(spectrum, 3, 2);
    EXPECT_TRUE(told.empty());

    std::vector<float> x(16, 1.0F), expected = x;
    engine->rotate_in_place(bhld_view(x.data(), 1, 1, 2, 8), table.view(), {});
    rotate_in_place(bhld_view(expected.data(), 1, 1, 2, 8), table.view(), {});
    EXPECT_EQ(x, expected) << "rotated once, by the CPU";
    EXPECT_EQ(engine->name(), "cpu");
    EXPECT_EQ(engine->table(spectrum, 3, 2).cos, table.cos);
    ASSERT_EQ(told.size(), 1U);
    EXPECT_THAT(told[0], ::testing::HasSubstr("the context was lost"));
    EXPECT_THAT(told[0], ::testing::Not(::testing::HasSubstr("\n")));
}

TEST(Fallback, WorkThatLivesOnTheFirstIsDoneAgainOnTheSecond) {
    const auto engine = make_failing_engine(9, {.engine = make_cpu_engine(1)});
    int attempts = 0;
    const auto served_by = with_fallback(*engine, [&] {
        if (++attempts == 1) {
            // What a failing operation on tensors does: the engine notices, and the caller gets the
            // error.
            for (int i = 0; i < 10; ++i) {
                engine->tensor_ops();
            }
            throw CapabilityError("GPU: the tensors are gone");
        }
        return engine->name();
    });
    EXPECT_EQ(served_by, "cpu");
    EXPECT_EQ(attempts, 2);
    EXPECT_THROW(with_fallback(*engine, [] { throw CapabilityError("no display"); }),
                 CapabilityError)
        << "nothing takes over from the second";
}

TEST(Fallback, BadInputIsNoReasonToGiveUp) {
    const auto engine = make_failing_engine(9, {.engine = make_cpu_engine(1)});
    EXPECT_THROW(engine->table(make_spectrum(kSpec), kMaxPosition, 2), InputError);
    EXPECT_EQ(engine->name(), "gpu");
}

TEST(EngineTime, CountsTheCallsAndHowLongTheyTook) {
    const auto engine = make_cpu_engine(1);
    EXPECT_EQ(engine->time().calls, 0);
    engine->table(make_spectrum({64, 64, 10000.0, Layout::half_split}), 0, 1000);
    EXPECT_EQ(engine->time().calls, 1);
    const double table = engine->time().seconds;
    EXPECT_GT(table, 0.0);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(engine->time().seconds, table) << "only its own calls count";

    const auto ops = engine->tensor_ops();
    const DeviceTensor a = ops->make(3, 4);
    ops->add(a, a, a);
    ops->download(a);
    EXPECT_EQ(engine->time().calls, 4);
    EXPECT_GT(engine->time().seconds, table);
}

TEST(EngineTime, CountsACallThatFailsToo) {
    const auto engine = make_failing_engine(0, {});
    EXPECT_THROW(engine->table(make_spectrum(kSpec), 0, 1), CapabilityError);
    EXPECT_EQ(engine->time().calls, 1);
}

TEST(EngineTime, GoesOnWhenTheFallbackHasTakenOver) {
    const auto engine = make_failing_engine(0, {.engine = make_cpu_engine(1)});
    engine->table(make_spectrum(kSpec), 0, 1);
    EXPECT_EQ(engine->time().calls, 2) << "the one that failed, and the one that served";
    const auto ops = engine->tensor_ops();
    ops->download(ops->make(1, 1));
    EXPECT_EQ(engine->time().calls, 4);
}

}  // namespace
}  // namespace ropescope::test
