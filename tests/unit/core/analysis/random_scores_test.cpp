#include "core/analysis/random_scores.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>

#include "core/analysis/decay.h"

namespace ropescope::test {
namespace {

TEST(RandomScores, MeanAndBandFollowTheExactMoments) {
    const Spectrum spectrum = make_spectrum({});
    const std::array<std::int64_t, 4> distances = {0, 1, 100, 5000};
    constexpr int kDraws = 2048;
    for (const double angle : {0.5, 1.5, 3.141592653589793}) {
        const RandomScores scores =
            random_scores(spectrum, distances, {.angle_rad = angle, .seed = 7, .draws = kDraws});
        for (std::size_t i = 0; i < distances.size(); ++i) {
            const ScoreSpread exact = score_spread(spectrum, distances[i], angle);
            // The mean of the draws is normal: five standard errors, and 1e-4 of fp32.
            EXPECT_NEAR(scores.mean[i], exact.mean, 5 * exact.deviation / std::sqrt(kDraws) + 1e-4);
            // 64 independent pairs: nearly normal. A quantile's standard error is twice that of
            // the mean there, and normality itself is good to 0.1 deviations.
            const double slack = exact.deviation * (10 / std::sqrt(kDraws) + 0.1) + 1e-4;
            EXPECT_NEAR(scores.low[i], exact.mean - 1.645 * exact.deviation, slack);
            EXPECT_NEAR(scores.high[i], exact.mean + 1.645 * exact.deviation, slack);
        }
    }
}

TEST(RandomScores, EqualContentIsTheSumOfCosines) {
    const Spectrum spectrum = make_spectrum({});
    const std::array<std::int64_t, 2> distances = {3, 700};
    const RandomScores scores =
        random_scores(spectrum, distances, {.angle_rad = 0, .seed = 1, .draws = 8});
    for (std::size_t i = 0; i < distances.size(); ++i) {
        const double sum = decay_at(spectrum, distances[i]).cosine_sum;
        EXPECT_NEAR(scores.mean[i], sum, 1e-4);
        EXPECT_NEAR(scores.low[i], sum, 1e-4);
        EXPECT_NEAR(scores.high[i], sum, 1e-4);
    }
}

TEST(RandomScores, AStopLeavesNothing) {
    std::stop_source source;
    source.request_stop();
    const std::array<std::int64_t, 1> distances = {3};
    EXPECT_TRUE(random_scores(make_spectrum({}), distances, {}, source.get_token()).mean.empty());
}

}  // namespace
}  // namespace ropescope::test
