// The curves of RoFormer's figure 2 and beyond against float64 NumPy.
#include "core/analysis/decay.h"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/golden_arrays.h"

namespace ropescope::test {
namespace {

/// The golden angles are products rounded in double and not reduced: at distance 131072 they are
/// off by 131072 u each, 64 pairs make 64 times as much of a sum. 1e-10 is asked for.
constexpr double kBound = 1e-10;

class GoldenDecay : public testing::TestWithParam<int> {
  protected:
    std::vector<double> array(const std::string& name) const {
        return to_f64(file_.at(fmt::format("b{}.{}", GetParam(), name)));
    }
    Spectrum spectrum() const { return make_spectrum({.base = static_cast<double>(GetParam())}); }

  private:
    SafetensorsFile file_ = open_golden("decay/curves.safetensors");
};

TEST_P(GoldenDecay, EveryDistanceTo256) {
    const DecayCurves run = decay_run(spectrum(), 0, 257);
    const std::vector<double> bound = array("rel_upper_bound_0_256");
    const std::vector<double> cosines = array("sum_cos_0_256");
    ASSERT_EQ(bound.size(), 257U);
    for (std::size_t i = 0; i < bound.size(); ++i) {
        EXPECT_NEAR(run.upper_bound[i], bound[i], kBound) << i;
        EXPECT_NEAR(run.cosine_sum[i], cosines[i], kBound) << i;
    }
}

TEST_P(GoldenDecay, FarDistances) {
    const SafetensorsFile file = open_golden("decay/curves.safetensors");
    const std::vector<double> bound = array("long_rel_upper_bound");
    const std::vector<double> cosines = array("long_sum_cos");
    const std::vector<std::int64_t> at =
        to_i64(file.at(fmt::format("b{}.long_positions", GetParam())));
    ASSERT_GT(at.size(), 30U);
    for (std::size_t i = 0; i < at.size(); ++i) {
        const DecayPoint point = decay_at(spectrum(), at[i]);
        EXPECT_NEAR(point.upper_bound, bound[i], kBound) << at[i];
        EXPECT_NEAR(point.cosine_sum, cosines[i], kBound) << at[i];
    }
}

INSTANTIATE_TEST_SUITE_P(Bases, GoldenDecay, testing::Values(10000, 500000, 1000000));

// From the same run: where the curves rise and how low they come.
TEST(GoldenDecayRises, FirstAndHowOften) {
    const Spectrum spectrum = make_spectrum({});
    const DecayCurves run = decay_run(spectrum, 0, 4097);
    const double tolerance = decay_tolerance(spectrum);
    const Rises bound = find_rises(std::span(run.upper_bound).first(257), tolerance);
    EXPECT_EQ(bound.rising, 115);
    EXPECT_EQ(bound.steps, 256);
    EXPECT_EQ(bound.first, 18);
    EXPECT_EQ(bound.lowest_at, 236);
    const Rises cosines = find_rises(run.cosine_sum, tolerance);
    EXPECT_EQ(cosines.first, 11);
    EXPECT_EQ(cosines.lowest_at, 4060);
    EXPECT_EQ(first_below_zero(run.cosine_sum), 1707);
}

}  // namespace
}  // namespace ropescope::test
