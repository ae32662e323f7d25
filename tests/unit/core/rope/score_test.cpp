#include "core/rope/score.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "core/base/error.h"

namespace ropescope {
namespace {

const RopeSpec kSpec = {.head_dim = 6, .rotary_dim = 4, .base = 1e4, .layout = Layout::half_split};
const std::vector<double> kQ = {1, 2, 3, 4, 5, 6};
const std::vector<double> kK = {-2, 7, 1, -3, 0.5, 2};

TEST(Score, TermsAreTheDotAndCrossProductsOfThePairs) {
    const std::vector<PairTerm> terms = pair_terms(kSpec, kQ, kK);
    ASSERT_EQ(terms.size(), 2U);
    // Pair 0 is channels (0, 2): q = (1, 3), k = (-2, 1); pair 1 is (1, 3): q = (2, 4), k = (7,
    // -3).
    EXPECT_EQ(terms[0].cos_part, 1.0 * -2.0 + 3.0 * 1.0);
    EXPECT_EQ(terms[0].sin_part, 3.0 * -2.0 - 1.0 * 1.0);
    EXPECT_EQ(terms[1].cos_part, 2.0 * 7.0 + 4.0 * -3.0);
    EXPECT_EQ(terms[1].sin_part, 4.0 * 7.0 - 2.0 * -3.0);
    EXPECT_EQ(pass_through_term(kSpec, kQ, kK), 5.0 * 0.5 + 6.0 * 2.0);
}

TEST(Score, AtDistanceZeroIsTheScaledDotProduct) {
    const Spectrum spectrum = make_spectrum(kSpec);
    const double pass = pass_through_term(kSpec, kQ, kK);
    const double dot = 1.0 + 2.0 + pass;  // the cos parts above
    EXPECT_DOUBLE_EQ(score_logits(kSpec, spectrum, pair_terms(kSpec, kQ, kK), pass, 0),
                     dot / std::sqrt(6.0));
}

TEST(Score, AttentionFactorScalesBothSidesOfTheRotatedPart) {
    Spectrum spectrum = make_spectrum(kSpec);
    spectrum.attention_factor = 3.0;
    EXPECT_DOUBLE_EQ(score_logits(kSpec, spectrum, pair_terms(kSpec, kQ, kK), 10.0, 0),
                     (9.0 * 3.0 + 10.0) / std::sqrt(6.0));
}

TEST(Score, RefusesVectorsOfAnotherSize) {
    EXPECT_THROW(pair_terms(kSpec, kQ, std::vector<double>(4)), InputError);
    EXPECT_THROW(pass_through_term(kSpec, std::vector<double>(8), kK), InputError);
    EXPECT_THROW(score_logits(kSpec, make_spectrum(kSpec), std::vector<PairTerm>(3), 0.0, 0),
                 InputError);
}

}  // namespace
}  // namespace ropescope
