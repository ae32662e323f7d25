// The distance at which the sum of cosines first falls below zero, against sums of every distance
// in order, and the bases that allow a length, against numbers computed elsewhere.
#include "core/analysis/base_bound.h"

#include <cmath>
#include <gtest/gtest.h>

#include "core/analysis/decay.h"
#include "core/formats/presets.h"

namespace ropescope {
namespace {

Spectrum plain(Index rotary_dim, double base) {
    return make_spectrum({.head_dim = rotary_dim, .rotary_dim = rotary_dim, .base = base});
}

/// Every distance in order, each cosine by itself, of frequencies by pow().
std::optional<Index> direct(Index rotary_dim, double base, Index last) {
    for (Index distance = 0; distance <= last; ++distance) {
        double sum = 0;
        for (Index i = 0; i < rotary_dim / 2; ++i) {
            sum += std::cos(to_double(distance) *
                            std::pow(base, -2.0 * to_double(i) / to_double(rotary_dim)));
        }
        if (sum < 0) {
            return distance;
        }
    }
    return std::nullopt;
}

TEST(BaseBound, FirstFallsBelowZeroWhereOthersFoundIt) {
    EXPECT_EQ(first_negative_distance(plain(128, 1e4), kMaxPosition), 1707);
    EXPECT_EQ(first_negative_distance(plain(128, 5e5), kMaxPosition), 18438);
    EXPECT_EQ(first_negative_distance(plain(128, 1e6), kMaxPosition), 27115);
    EXPECT_EQ(first_negative_distance(plain(128, 1e4), 1707), 1707);
    EXPECT_EQ(first_negative_distance(plain(128, 1e4), 1706), std::nullopt);
}

TEST(BaseBound, LeavesOutNoDistanceBelowZero) {
    for (const Index rotary_dim : {2, 4, 6, 30, 64, 128, 256}) {
        for (const double base : {0.5, 1.0, 3.0, 77.0, 1e3, 12345.0, 6e4}) {
            EXPECT_EQ(first_negative_distance(plain(rotary_dim, base), 5000),
                      direct(rotary_dim, base, 5000))
                << rotary_dim << " " << base;
        }
    }
}

TEST(BaseBound, EveryPresetAsConfigured) {
    for (const ModelConfig& model : model_presets()) {
        const Spectrum spectrum = make_spectrum(model.rope);
        const Index last = 20000;
        const auto curve = decay_run(spectrum, 0, last + 1).cosine_sum;
        const Index first = first_below_zero(curve);
        EXPECT_EQ(first_negative_distance(spectrum, last).value_or(-1), first) << model.title;
    }
}

TEST(BaseBound, PairsThatStandStillAddOneEach) {
    const Spectrum spectrum = plain(64, 1e4);
    const Index first = first_negative_distance(spectrum, 100000).value();
    EXPECT_EQ(first_negative_distance(spectrum, 100000, 32), std::nullopt);
    Spectrum with_one = spectrum;
    with_one.inv_freq_rad.push_back(0);
    const auto later = first_negative_distance(with_one, 100000);
    EXPECT_EQ(first_negative_distance(spectrum, 100000, 1), later);
    EXPECT_GT(later.value(), first);
}

/// The bases that an issue gives from another program: about the first that works, and up to where
/// some fail again.
TEST(BaseBound, TheSetOfBasesIsNoInterval) {
    struct Known {
        Index length;
        double least, all_from;
    };
    for (const Known& known :
         {Known{4096, 2.9e4, 5.8e4}, Known{8192, 9.3e4, 3.9e5}, Known{32768, 6.3e5, 3.2e6}}) {
        const WorkingBases found = find_working_bases(128, known.length);
        EXPECT_GT(found.ranges.size(), 3U);
        // A finer step may find a narrow range below the first that a coarser one saw.
        EXPECT_GT(found.ranges.front().least, 0.85 * known.least) << known.length;
        EXPECT_LT(found.ranges.front().least, 1.1 * known.least) << known.length;
        EXPECT_NEAR(found.all_from.value() / known.all_from, 1, 0.06) << known.length;
        for (const BaseRange& range : found.ranges) {
            EXPECT_EQ(direct(128, range.least, std::min<Index>(known.length, 8192)), std::nullopt);
            EXPECT_LE(range.least, range.most);
        }
        for (std::size_t i = 1; i < found.ranges.size(); ++i) {
            const double between = found.ranges[i - 1].most * kBaseStep;
            EXPECT_TRUE(first_negative_distance(plain(128, between), known.length)) << between;
        }
    }
    // The narrow range below 9.3e4 is there: every distance by itself.
    EXPECT_EQ(direct(128, 84000, 8192), std::nullopt);
    EXPECT_NE(direct(128, 88000, 8192), std::nullopt);
}

TEST(BaseBound, OnePairAllowsNothing) {
    const WorkingBases found = find_working_bases(2, 16);
    EXPECT_TRUE(found.ranges.empty());
    EXPECT_FALSE(found.all_from);
}

TEST(BaseBound, RangesOfTheBasesTried) {
    const std::vector<double> bases = {1, 2, 3, 4, 5};
    const std::vector<std::optional<Index>> first = {9, 11, 10, std::nullopt, 12};
    const WorkingBases ten = working_bases(bases, first, 10);
    ASSERT_EQ(ten.ranges.size(), 2U);
    EXPECT_EQ(ten.ranges[0].least, 2);
    EXPECT_EQ(ten.ranges[0].most, 2);
    EXPECT_EQ(ten.ranges[1].least, 4);
    EXPECT_EQ(ten.all_from, 4);
    EXPECT_FALSE(working_bases(bases, first, 12).all_from);
}

TEST(BaseBound, ThePapersCurveLiesAmongTheBases) {
    for (const Index length : {4096, 32768}) {
        const WorkingBases found = find_working_bases(128, length);
        EXPECT_GT(paper_base(to_double(length)), 0.9 * found.ranges.front().least);
        EXPECT_LT(paper_base(to_double(length)), found.all_from.value());
    }
}

}  // namespace
}  // namespace ropescope
