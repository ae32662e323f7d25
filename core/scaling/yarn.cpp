// YaRN: its description, its limits and its formula.
#include "core/scaling/yarn.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "core/base/error.h"
#include "core/base/index.h"
#include "core/base/memo.h"
#include "core/scaling/method.h"

namespace ropescope {
namespace {

constexpr Setting kBetaFast{
    .name = "yarn_beta_fast",
    .label = "YaRN beta fast",
    .help = "Pairs that turn more often within the trained context keep their speed.",
    .unit = "turns",
    .min = 1,
    .max = 256,
    .logarithmic = true,
    .lowest = 1e-6};
constexpr Setting kBetaSlow{.name = "yarn_beta_slow",
                            .label = "YaRN beta slow",
                            .help =
                                "Pairs that turn less often within the trained context are slowed "
                                "by the factor.",
                            .unit = "turns",
                            .min = 0.0625,
                            .max = 32,
                            .logarithmic = true,
                            .lowest = 1e-6};
constexpr Setting kTruncate{
    .name = "yarn_truncate",
    .label = "round ramp to whole pairs",
    .help = "Whether the ramp between the two begins and ends at whole pairs."};
constexpr Setting kMscale{
    .name = "yarn_mscale",
    .label = "YaRN mscale",
    .zero = "not given",
    .beside = "yarn_mscale_all_dim",
    .help = "DeepSeek's mscale; counts only beside mscale_all_dim. 0: not given.",
    .max = 2};
constexpr Setting kMscaleAllDim{.name = "yarn_mscale_all_dim",
                                .label = "YaRN mscale (all dims)",
                                .zero = "not given",
                                .help = "DeepSeek's mscale_all_dim. 0: not given.",
                                .max = 2};
constexpr Setting kScalesSoftmax{
    .name = "yarn_softmax",
    .label = "scale softmax",
    .beside = "yarn_mscale_all_dim",
    .help = "Whether mscale_all_dim also scales the softmax, as in DeepSeek's models."};

/// The (fractional) pair index, counted in exponent steps, that turns `turns` times in the original
/// length.
double pair_with_turns(double turns, const YarnScaling& scaling, const FrequencyInput& input) {
    const double length = to_double(scaling.original_positions);
    return to_double(input.rotary_dim) * std::log(length / (turns * 2.0 * std::numbers::pi)) /
           (2.0 * std::log(input.base));
}

bool given(const std::optional<double>& value) {
    return value.value_or(0.0) != 0.0;
}

double attention_factor(const YarnScaling& scaling) {
    if (scaling.attention_factor) {
        return *scaling.attention_factor;
    }
    if (given(scaling.mscale) && given(scaling.mscale_all_dim)) {
        return yarn_mscale(scaling.factor, *scaling.mscale) /
               yarn_mscale(scaling.factor, *scaling.mscale_all_dim);
    }
    return yarn_mscale(scaling.factor);
}

}  // namespace

YarnRamp yarn_ramp(const YarnScaling& scaling, const FrequencyInput& input) {
    YarnRamp ramp{pair_with_turns(scaling.beta_fast, scaling, input),
                  pair_with_turns(scaling.beta_slow, scaling, input)};
    if (scaling.truncate) {
        ramp = {std::floor(ramp.low), std::ceil(ramp.high)};
    }
    return {std::max(ramp.low, 0.0), std::min(ramp.high, to_double(input.rotary_dim) - 1.0)};
}

double yarn_mscale(double factor, double mscale) {
    return factor <= 1.0 ? 1.0 : 0.1 * mscale * std::log(factor) + 1.0;
}

namespace {

void validate(const YarnScaling& scaling, const FrequencyInput& input) {
    require_factor("factor", scaling.factor);
    require_length("original_max_position_embeddings", scaling.original_positions);
    require_positive("beta_fast", scaling.beta_fast);
    require_positive("beta_slow", scaling.beta_slow);
    if (scaling.beta_fast < scaling.beta_slow) {
        throw InputError(
            fmt::format("beta_fast: {} is below beta_slow {}; fast pairs turn more often",
                        scaling.beta_fast, scaling.beta_slow));
    }
    if (scaling.attention_factor) {
        require_positive("attention_factor", *scaling.attention_factor);
    }
    if (input.base <= 1.0) {
        throw InputError(fmt::format(
            "rope_type: YaRN finds its pairs by the logarithm of the base; {} is not above 1",
            input.base));
    }
}

/// attention_factor: the one given; else yarn_mscale(factor, mscale) / yarn_mscale(factor,
/// mscale_all_dim) when both are there and not 0; else yarn_mscale(factor).
Frequencies frequencies(const YarnScaling& scaling, const FrequencyInput& input) {
    Frequencies result{default_inv_freq(input.rotary_dim, input.base), attention_factor(scaling)};
    const YarnRamp ramp = yarn_ramp(scaling, input);
    // A ramp of no width becomes a step just behind its pair, as in Hugging Face's
    // linear_ramp_factor; one that ends before it begins (a length shorter than the turns asked
    // for) leaves every pair alone, also as there.
    const double end = ramp.high == ramp.low ? ramp.high + 0.001 : ramp.high;
    const double width = end - ramp.low;
    for (int i = 0; i < input.pairs(); ++i) {
        const double r = std::clamp((i - ramp.low) / width, 0.0, 1.0);
        double& inv_freq = result.inv_freq_rad[i];
        inv_freq = inv_freq / scaling.factor * r + inv_freq * (1.0 - r);
    }
    if (scaling.scales_softmax && given(scaling.mscale_all_dim)) {
        const double mscale = yarn_mscale(scaling.factor, *scaling.mscale_all_dim);
        result.softmax_scale_factor = mscale * mscale;
    }
    return result;
}

/// The ramp r = (i - low) / (high - low) is off by the rounding of its ends, of the difference and
/// of the quotient, 1 - r by one more; the frequency mixes w / factor and w by it.
double fp32_units(const YarnScaling& yarn, const FrequencyInput& input, Index pair, double) {
    const YarnRamp ramp = yarn_ramp(yarn, input);
    const double width = std::max(ramp.high - ramp.low, 0.001);
    const double ends = std::abs(to_double(pair)) + std::abs(ramp.low) + std::abs(ramp.high);
    return (4.0 + ends / width) * (1.0 - 1.0 / yarn.factor) + 2.0;
}

}  // namespace

const Description<YarnScaling>& YarnScaling::description() {
    return made_once([] {
        return Description<YarnScaling>{
            .facts = {.type = "yarn",
                      .name = "YaRN",
                      .title = "YaRN's ramp",
                      .source = "YaRN, section 3.2; Hugging Face rope type yarn",
                      .statement =
                          "Pairs that turn between beta_slow and beta_fast times within the "
                          "trained length are blended.",
                      .blends = true,
                      .suggested = true},
            .validate = validate,
            .frequencies = frequencies,
            .fp32_units = fp32_units,
            .fields = {{.key = "factor",
                        .member = &YarnScaling::factor,
                        .missing = Missing::by_rule,
                        .setting = kScalingFactor},
                       {.key = "original_max_position_embeddings",
                        .member = &YarnScaling::original_positions,
                        .missing = Missing::from_lengths,
                        .setting = kOriginalLength},
                       {.key = "beta_fast",
                        .member = &YarnScaling::beta_fast,
                        .missing = Missing::usual_or_zero,
                        .setting = kBetaFast},
                       {.key = "beta_slow",
                        .member = &YarnScaling::beta_slow,
                        .missing = Missing::usual_or_zero,
                        .setting = kBetaSlow},
                       {.key = "truncate", .member = &YarnScaling::truncate, .setting = kTruncate},
                       {.key = "attention_factor",
                        .member = &YarnScaling::attention_factor,
                        .setting = kAttentionFactor},
                       {.key = "mscale", .member = &YarnScaling::mscale, .setting = kMscale},
                       {.key = "mscale_all_dim",
                        .member = &YarnScaling::mscale_all_dim,
                        .setting = kMscaleAllDim},
                       {.key = "",
                        .member = &YarnScaling::scales_softmax,
                        .missing = Missing::by_rule,
                        .setting = kScalesSoftmax}}};
    });
}

}  // namespace ropescope
