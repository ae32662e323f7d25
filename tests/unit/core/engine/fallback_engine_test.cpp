// What happens when an engine fails in the middle of things.
#include "core/engine/fallback_engine.h"

#include <gmock/gmock.h>

#include "core/base/error.h"
#include "tests/support/mortal_engine.h"

namespace ropescope::test {
namespace {

TEST(FallbackEngine, GoesOnWithTheSecondAndSaysSoOnce) {
    std::vector<std::string> told;
    const auto engine =
        make_fallback_engine(std::make_unique<MortalEngine>(1), make_cpu_engine(1),
                             [&](const std::string& line) { told.push_back(line); });
    EXPECT_EQ(engine->name(), "gpu");
    const Spectrum spectrum = make_spectrum({8, 8, 10000.0, Layout::half_split});
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

TEST(FallbackEngine, WorkThatLivesOnTheFirstIsDoneAgainOnTheSecond) {
    const auto engine =
        make_fallback_engine(std::make_unique<MortalEngine>(9), make_cpu_engine(1), {});
    int attempts = 0;
    const auto served_by = with_fallback(*engine, [&] {
        if (++attempts == 1) {
            // What a failing operation on tensors does: the engine notices, the caller is told.
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
        << "nobody stands in for the second";
}

TEST(FallbackEngine, BadInputIsNoReasonToGiveUp) {
    const auto engine =
        make_fallback_engine(std::make_unique<MortalEngine>(9), make_cpu_engine(1), {});
    const Spectrum spectrum = make_spectrum({8, 8, 10000.0, Layout::half_split});
    EXPECT_THROW(engine->table(spectrum, kMaxPosition, 2), InputError);
    EXPECT_EQ(engine->name(), "gpu");
}

}  // namespace
}  // namespace ropescope::test
