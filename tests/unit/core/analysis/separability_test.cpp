#include "core/analysis/separability.h"

#include <cmath>
#include <gtest/gtest.h>

#include "core/base/singular_values.h"
#include "core/checks/sweep.h"

namespace ropescope::test {
namespace {

std::vector<ContentTerms> random_contents(const RopeSpec& spec, std::size_t count) {
    const HeadRows rows = random_rows(2 * count, spec.head_dim, 11);
    std::vector<ContentTerms> contents;
    for (std::size_t i = 0; i < count; ++i) {
        contents.push_back(pair_terms(spec, rows[2 * i], rows[2 * i + 1]));
    }
    return contents;
}

/// 40 distances, 24 contents: more of each than 2 pairs of 4 frequencies can fill.
struct Tables {
    RopeSpec spec{.head_dim = 8, .rotary_dim = 8, .base = 100.0};
    Spectrum spectrum = make_spectrum(spec);
    std::vector<ContentTerms> contents = random_contents(spec, 24);
    std::vector<std::int64_t> distances;
    Tables() {
        for (std::int64_t d = -20; d < 20; ++d) {
            distances.push_back(d);
        }
    }
};

TEST(Separability, RopeNeedsTwoProductsAPair) {
    const Tables t;
    const auto singular = singular_values(rope_score_table(t.spectrum, t.contents, t.distances));
    EXPECT_EQ(numerical_rank(singular, 1e-10), 8);
    EXPECT_GT(beyond_rank_one(singular), 0.1);
}

TEST(Separability, ABiasOfTheDistanceNeedsOneOrTwo) {
    const Tables t;
    const auto times = singular_values(multiplied_bias_table(t.spectrum, t.contents, t.distances));
    EXPECT_EQ(numerical_rank(times, 1e-10), 1);
    EXPECT_LT(beyond_rank_one(times), 1e-20);
    const auto plus = singular_values(added_bias_table(t.spectrum, t.contents, t.distances, 2.0));
    EXPECT_EQ(numerical_rank(plus, 1e-10), 2);
}

TEST(Separability, ATableEntryIsItsScore) {
    const Tables t;
    const Eigen::MatrixXd table = rope_score_table(t.spectrum, t.contents, t.distances);
    const double score = score_logits(t.spec, t.spectrum, t.contents[3], 0, t.distances[5]);
    EXPECT_NEAR(table(3, 5), score * std::sqrt(8.0), 1e-13);  // eight products below 2
}

}  // namespace
}  // namespace ropescope::test
