#include <algorithm>
#include <gtest/gtest.h>

#include "core/analysis/precision.h"

namespace ropescope {
namespace {

std::optional<Index> first_of(const PrecisionChain& chain, const Spectrum& truth, double level,
                              Index last, Index entries = 1 << 24) {
    return first_error(chain, truth, {level, last}, entries);
}

std::int64_t one_by_one(const PrecisionChain& chain, const Spectrum& truth, double level,
                        std::int64_t last) {
    for (std::int64_t position = 1; position <= last; ++position) {
        if (std::ranges::max(chain_error(chain, truth, position)) >= level) {
            return position;
        }
    }
    return -1;
}

TEST(FirstError, IsThatOfLookingAtEveryPositionAndPair) {
    for (const double base : {1e4, 30.0, 0.5}) {
        RopeSpec spec;
        spec.head_dim = spec.rotary_dim = 32;
        spec.base = base;
        const Spectrum truth = make_spectrum(spec);
        for (const PrecisionChain& chain : precision_chains()) {
            for (const double level : {1e-7, 3e-5, 1e-4, 1e-2, 1.0}) {
                EXPECT_EQ(first_of(chain, truth, level, 2000),
                          one_by_one(chain, truth, level, 2000))
                    << chain.id << " " << level << " base " << base;
            }
        }
    }
}

TEST(FirstError, IsFoundAtTheLastPositionOfTheSearch) {
    const Spectrum truth = make_spectrum({});
    const PrecisionChain& chain = precision_chain("bf16_positions");
    EXPECT_EQ(first_of(chain, truth, 1e-4, 257), 257);
    EXPECT_EQ(first_of(chain, truth, 1e-4, 256), -1);
}

TEST(FirstError, OfTheDefaultEncoding) {
    // Counted by a loop over every position and pair in another language.
    const Spectrum truth = make_spectrum({});
    const auto first = [&](const char* chain, double level) {
        return first_of(precision_chain(chain), truth, level, 1 << 20);
    };
    EXPECT_EQ(first("bf16_positions", 1e-4), 257);
    EXPECT_EQ(first("bf16_positions", 1), 514);
    EXPECT_EQ(first("bf16_inv_freq", 1), 861);
    EXPECT_EQ(first("fp32_angle", 1e-2), 151363);
    EXPECT_EQ(first("fp32_angle", 1), -1) << "the bound rules it out without a look";
}

TEST(FirstError, GivesUpRatherThanGuess) {
    const Spectrum truth = make_spectrum({});
    const PrecisionChain& chain = precision_chain("fp32_angle");
    EXPECT_FALSE(first_of(chain, truth, 1e-2, 1 << 20, 1000));
    std::stop_source stopped;
    stopped.request_stop();
    Index entries = 1 << 24;
    EXPECT_FALSE(first_error(chain, truth, {1e-2, 1 << 20}, entries, stopped.get_token()));
}

TEST(FirstError, TakesWhatItComputesOffTheEntries) {
    const Spectrum truth = make_spectrum({});
    Index entries = 1 << 24;
    EXPECT_EQ(first_error(precision_chain("bf16_positions"), truth, {1e-4, 1 << 20}, entries), 257);
    EXPECT_LT(entries, 1 << 24);
    const Index left = entries;
    // Two tables of one truth differ by their own rounding alone, which never reaches the level.
    EXPECT_EQ(first_error(precision_chain("bf16_table"), truth, {1, 1 << 20}, entries), -1);
    EXPECT_EQ(entries, left) << "the bound rules it out without a look";
}

}  // namespace
}  // namespace ropescope
