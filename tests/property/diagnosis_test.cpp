// `diagnose` on planted dumps: the right verdict and codes, and no other. docs/verify/confusion.md
// has many more of them.
#include <gtest/gtest.h>

#include "tests/support/planted_dumps.h"
#include "tests/support/planted_verdict.h"
#include "tests/support/random.h"

namespace ropescope::test {
namespace {

class PlantedDumps : public testing::TestWithParam<std::string> {};

TEST_P(PlantedDumps, AreNamed) {
    constexpr std::uint64_t kSeeds = 3;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const PlantedDump planted = plant(GetParam(), seed);
        EXPECT_EQ(difference(planted, diagnosis::diagnose(planted.dump)), "")
            << planted.description;
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, PlantedDumps, testing::ValuesIn(planted_kinds()),
                         [](const auto& kind) { return kind.param; });

/// Tokens that stand 2,047 positions from where they are stated, in float32: the rounding of their
/// angles is that of the far positions.
TEST(PlantedDumps, AreNamedWhereRoundingIsThatOfAHiddenOffset) {
    for (const std::uint64_t seed : {44U, 47U, 83U}) {
        const PlantedDump planted = plant("offset_both", seed);
        EXPECT_EQ(difference(planted, diagnosis::diagnose(planted.dump)), "")
            << planted.description;
    }
}

TEST(PlantedDumps, AreNamedForANewSeed) {
    Random random;
    const std::string& kind = random.pick(planted_kinds());
    const PlantedDump planted =
        plant(kind, static_cast<std::uint64_t>(random.integer(0, 1'000'000'000)));
    EXPECT_EQ(difference(planted, diagnosis::diagnose(planted.dump)), "")
        << planted.description << ", " << random.trace();
}

}  // namespace
}  // namespace ropescope::test
