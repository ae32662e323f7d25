// Llama 3.1's scaling: Meta's llama-models, apply_scaling; Hugging Face rope type "llama3".
#include <fmt/format.h>
#include <numbers>

#include "core/base/error.h"
#include "core/base/index.h"
#include "core/base/memo.h"
#include "core/scaling/method.h"

namespace ropescope {
namespace {

constexpr Setting kLowFreqFactor{
    .name = "llama3_low_freq_factor",
    .label = "low frequency factor",
    .help =
        "Pairs that turn less often within the trained context are slowed "
        "by the factor.",
    .unit = "turns",
    .min = 0.125,
    .max = 16,
    .logarithmic = true,
    .lowest = 1e-6};
constexpr Setting kHighFreqFactor{
    .name = "llama3_high_freq_factor",
    .label = "high frequency factor",
    .help = "Pairs that turn more often within the trained context keep their speed.",
    .unit = "turns",
    .min = 1,
    .max = 64,
    .logarithmic = true,
    .lowest = 1e-6};

void validate(const Llama3Scaling& scaling, const FrequencyInput&) {
    require_factor("factor", scaling.factor);
    require_positive("low_freq_factor", scaling.low_freq_factor);
    require_positive("high_freq_factor", scaling.high_freq_factor);
    require_length("original_max_position_embeddings", scaling.original_positions);
    if (scaling.low_freq_factor >= scaling.high_freq_factor) {
        throw InputError(
            fmt::format("low_freq_factor: {} is not below high_freq_factor {}; the "
                        "ramp between them "
                        "needs a width",
                        scaling.low_freq_factor, scaling.high_freq_factor));
    }
}

Frequencies frequencies(const Llama3Scaling& scaling, const FrequencyInput& input) {
    Frequencies result{default_inv_freq(input.rotary_dim, input.base)};
    const double length = to_double(scaling.original_positions);
    for (double& inv_freq : result.inv_freq_rad) {
        const double turns = length * inv_freq / (2.0 * std::numbers::pi);
        if (turns > scaling.high_freq_factor) {
            continue;
        }
        if (turns < scaling.low_freq_factor) {
            inv_freq /= scaling.factor;
            continue;
        }
        const double smooth = (turns - scaling.low_freq_factor) /
                              (scaling.high_freq_factor - scaling.low_freq_factor);
        inv_freq = (1.0 - smooth) * inv_freq / scaling.factor + smooth * inv_freq;
    }
    return result;
}

/// s = (N / wavelength - low) / (high - low), whose quotient is off as the frequency is, by 2 pi
/// and by itself: at most `high` of it.
double fp32_units(const Llama3Scaling& llama3, const FrequencyInput&, Index, double log) {
    const double width = llama3.high_freq_factor - llama3.low_freq_factor;
    const double share = width > 0.0 ? llama3.high_freq_factor / width : 1.0;
    return (share * (8.0 + 2.0 * log) + 4.0) * (1.0 - 1.0 / llama3.factor) + 2.0;
}

}  // namespace

const Description<Llama3Scaling>& Llama3Scaling::description() {
    return made_once([] {
        return Description<Llama3Scaling>{
            .facts = {.type = "llama3",
                      .name = "Llama 3",
                      .title = "Llama 3's bands",
                      .source = "Meta llama-models, apply_scaling",
                      .statement = "Short wavelengths stay, long ones grow by the factor, those "
                                   "between are blended.",
                      .blends = true},
            .validate = validate,
            .frequencies = frequencies,
            .fp32_units = fp32_units,
            .fields = {{.key = "factor",
                        .member = &Llama3Scaling::factor,
                        .missing = Missing::refused,
                        .setting = kScalingFactor},
                       {.key = "low_freq_factor",
                        .member = &Llama3Scaling::low_freq_factor,
                        .missing = Missing::refused,
                        .setting = kLowFreqFactor},
                       {.key = "high_freq_factor",
                        .member = &Llama3Scaling::high_freq_factor,
                        .missing = Missing::refused,
                        .setting = kHighFreqFactor},
                       {.key = "original_max_position_embeddings",
                        .member = &Llama3Scaling::original_positions,
                        .missing = Missing::from_lengths,
                        .setting = kOriginalLength}}};
    });
}

}  // namespace ropescope
