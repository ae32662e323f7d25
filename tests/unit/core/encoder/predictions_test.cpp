// The likeliest tokens of a place.
#include "core/encoder/predictions.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ropescope::test {
namespace {

TEST(Predictions, AreTheLargestLogitsWithTheirSoftmax) {
    // e^0 : e^ln 2 : e^ln 5 : e^ln 2 = 1 : 2 : 5 : 2
    const std::vector<float> logits = {0.0F, std::log(2.0F), std::log(5.0F), std::log(2.0F)};
    const std::vector<Prediction> best = best_predictions(logits, 3);
    ASSERT_EQ(best.size(), 3U);
    EXPECT_EQ(best[0].id, 2);
    EXPECT_EQ(best[1].id, 1) << "of equal ones the lower id";
    EXPECT_EQ(best[2].id, 3);
    EXPECT_NEAR(best[0].probability, 0.5, 1e-7) << "the logits are rounded to fp32";
    EXPECT_NEAR(best[1].probability, 0.2, 1e-7);
}

TEST(Predictions, OfLargeLogitsStayFiniteAndFewAreAllThereAre) {
    const std::vector<float> logits = {900.0F, 1000.0F};
    const std::vector<Prediction> best = best_predictions(logits, 5);
    ASSERT_EQ(best.size(), 2U);
    EXPECT_EQ(best[0].probability, 1.0);
    EXPECT_TRUE(best_predictions({}, 5).empty());
}

}  // namespace
}  // namespace ropescope::test
