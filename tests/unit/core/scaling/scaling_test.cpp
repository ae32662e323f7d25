#include "core/scaling/scaling.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numbers>

#include "core/rope/spectrum.h"
#include "core/scaling/method.h"
#include "core/scaling/yarn.h"
#include "tests/support/input_error.h"

namespace ropescope {
namespace {

using test::input_error;
using ::testing::Each;
using ::testing::HasSubstr;

/// A few operations on numbers that are right to one unit of 2^-53.
constexpr double kRelative = 16 * 0x1p-53;

Spectrum scaled(const Scaling& scaling, std::int64_t seq_len = 0, double base = 10000.0) {
    return make_spectrum(
        {.head_dim = 128, .rotary_dim = 128, .base = base, .scaling = scaling, .seq_len = seq_len});
}

/// inv_freq of the scaled spectrum over that of the plain one.
std::vector<double> ratios(const Scaling& scaling, std::int64_t seq_len = 0) {
    const Spectrum plain = scaled(NoScaling{});
    Spectrum result = scaled(scaling, seq_len);
    for (std::size_t i = 0; i < result.inv_freq_rad.size(); ++i) {
        result.inv_freq_rad[i] /= plain.inv_freq_rad[i];
    }
    return result.inv_freq_rad;
}

TEST(Scaling, LinearDividesEveryFrequency) {
    EXPECT_THAT(ratios(LinearScaling{4}), Each(0.25));
}

TEST(Scaling, NtkSlowsTheSlowestPairByTheFactorAndTheFastestNotAtAll) {
    const std::vector<double> ntk = ratios(NtkScaling{8});
    EXPECT_EQ(ntk.front(), 1.0);
    EXPECT_NEAR(ntk.back(), 1.0 / 8, kRelative);
}

TEST(Scaling, DynamicNtkGrowsFromTheTrainedLengthOn) {
    const DynamicNtkScaling dynamic{2, 4096};
    for (const std::int64_t seq_len : {0, 1, 4095, 4096}) {
        EXPECT_THAT(ratios(dynamic, seq_len), Each(1.0)) << seq_len;
    }
    // At 16384 = 4 x 4096 the stretch is 2 x 4 - 1.
    EXPECT_NEAR(ratios(dynamic, 16384).back(), 1.0 / 7, kRelative);
}

TEST(Scaling, OnlyListsThatDifferDependOnTheLength) {
    LongRopeScaling longrope{.short_factor = std::vector<double>(64, 1.0),
                             .long_factor = std::vector<double>(64, 4.0),
                             .original_positions = 4096};
    EXPECT_TRUE(depends_on_seq_len(longrope));
    EXPECT_TRUE(depends_on_seq_len(DynamicNtkScaling{2, 4096}));
    EXPECT_FALSE(depends_on_seq_len(NtkScaling{2}));
    longrope.long_factor = longrope.short_factor;
    EXPECT_FALSE(depends_on_seq_len(longrope));
    EXPECT_EQ(ratios(longrope, 1), ratios(longrope, 8192));
    longrope.short_mscale = 1.0;
    longrope.long_mscale = 1.5;
    EXPECT_TRUE(depends_on_seq_len(longrope));
}

TEST(Scaling, YarnKeepsFastPairsAndInterpolatesSlowOnes) {
    const YarnScaling yarn{.factor = 16, .original_positions = 4096};
    const Spectrum plain = scaled(NoScaling{});
    const std::vector<double> ratio = ratios(yarn);
    const YarnRamp ramp = yarn_ramp(yarn, {128, 128, 10000.0, 0});
    for (std::size_t i = 0; i < ratio.size(); ++i) {
        const double turns = 4096 * plain.inv_freq_rad[i] / (2 * std::numbers::pi);
        const auto pair = static_cast<double>(i);
        if (pair <= ramp.low) {
            EXPECT_EQ(ratio[i], 1.0) << i;
            EXPECT_GE(turns, 32.0) << "the ramp is rounded outwards";
        }
        if (pair >= ramp.high) {
            EXPECT_NEAR(ratio[i], 1.0 / 16, kRelative) << i;
            EXPECT_LE(turns, 1.0) << i;
        }
    }
}

TEST(Scaling, YarnAttentionFactorsFollowMscale) {
    YarnScaling yarn{.factor = 40, .original_positions = 4096};
    const double usual = 0.1 * std::log(40.0) + 1.0;
    EXPECT_DOUBLE_EQ(scaled(yarn).attention_factor, usual);
    yarn.mscale = 0.707;
    EXPECT_DOUBLE_EQ(scaled(yarn).attention_factor, usual) << "mscale alone is not read";
    yarn.mscale_all_dim = 0.0;
    EXPECT_DOUBLE_EQ(scaled(yarn).attention_factor, usual) << "0 counts as not given";
    yarn.mscale_all_dim = 1.0;
    EXPECT_DOUBLE_EQ(scaled(yarn).attention_factor, (0.0707 * std::log(40.0) + 1.0) / usual);
    EXPECT_EQ(scaled(yarn).softmax_scale_factor, 1.0) << "only DeepSeek scales the softmax";
    yarn.scales_softmax = true;
    EXPECT_DOUBLE_EQ(scaled(yarn).softmax_scale_factor, usual * usual);
    yarn.attention_factor = 1.25;
    EXPECT_EQ(scaled(yarn).attention_factor, 1.25);
}

TEST(Scaling, YarnRampsOfNoWidthAndOfNegativeWidth) {
    // Both betas on one pair: a step. A length of less than a turn: nobody is interpolated.
    const YarnScaling step{
        .factor = 4, .original_positions = 4096, .beta_fast = 8, .beta_slow = 8, .truncate = false};
    const std::vector<double> ratio = ratios(step);
    EXPECT_EQ(ratio.front(), 1.0);
    EXPECT_EQ(ratio.back(), 0.25);
    EXPECT_THAT(ratios(YarnScaling{.factor = 4, .original_positions = 3}), Each(1.0));
}

TEST(Scaling, LongRopeTakesItsListByLength) {
    LongRopeScaling scaling{.short_factor = std::vector<double>(64, 2.0),
                            .long_factor = std::vector<double>(64, 4.0),
                            .original_positions = 4096,
                            .factor = 32};
    EXPECT_THAT(ratios(scaling, 0), Each(0.5)) << "the length is not known yet";
    EXPECT_THAT(ratios(scaling, 4096), Each(0.5));
    EXPECT_THAT(ratios(scaling, 4097), Each(0.25));
    EXPECT_DOUBLE_EQ(scaled(scaling).attention_factor,
                     std::sqrt(1 + std::log(32.0) / std::log(4096.0)));
    scaling.factor = 1;
    EXPECT_EQ(scaled(scaling).attention_factor, 1.0);
}

TEST(Scaling, ProportionalSpansTheHeadAndStopsPairs) {
    const Spectrum spectrum = scaled(ProportionalScaling{0.25, 2.0});
    const Spectrum plain = scaled(NoScaling{});
    for (int i = 0; i < 64; ++i) {
        const auto pair = static_cast<std::size_t>(i);
        EXPECT_EQ(spectrum.inv_freq_rad[pair], i < 16 ? plain.inv_freq_rad[pair] / 2 : 0.0) << i;
    }
    EXPECT_THAT(
        input_error([] {
            validate({.head_dim = 128, .rotary_dim = 64, .scaling = ProportionalScaling{0.5}});
        }),
        HasSubstr("rope_scaling.rope_type: proportional"));
}

TEST(Scaling, RefusalsNameTheKey) {
    const auto refusal = [](const Scaling& scaling, int rotary_dim = 128, double base = 1e4) {
        return input_error([&] {
            validate({.head_dim = 128, .rotary_dim = rotary_dim, .base = base, .scaling = scaling});
        });
    };
    EXPECT_THAT(refusal(LinearScaling{0.99}), HasSubstr("rope_scaling.factor: 0.99"));
    EXPECT_THAT(refusal(LinearScaling{std::nan("")}), HasSubstr("rope_scaling.factor: nan"));
    EXPECT_THAT(refusal(NtkScaling{2}, 2), HasSubstr("rope_scaling.rope_type: NTK"));
    EXPECT_THAT(refusal(DynamicNtkScaling{2, 0}), HasSubstr("max_position_embeddings: 0"));
    EXPECT_THAT(refusal(YarnScaling{.factor = 2}),
                HasSubstr("original_max_position_embeddings: 0"));
    EXPECT_THAT(refusal(YarnScaling{.factor = 2, .original_positions = 4096}, 128, 1.0),
                HasSubstr("rope_scaling.rope_type: YaRN"));
}

TEST(Scaling, NamesAndSizes) {
    EXPECT_EQ(scaling_type(NoScaling{}), "default");
    EXPECT_EQ(scaling_type(ProportionalScaling{}), "proportional");
    EXPECT_EQ(original_positions(Llama3Scaling{}), 8192);
    EXPECT_EQ(original_positions(DynamicNtkScaling{2, 4096}), 4096);
    EXPECT_EQ(original_positions(LinearScaling{2}), std::nullopt);
    EXPECT_EQ(extension_factor(Scaling{LinearScaling{2}}), 2);
    EXPECT_EQ(extension_factor(Scaling{NoScaling{}}), 1);
}

}  // namespace
}  // namespace ropescope
