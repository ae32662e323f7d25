// Proportional rotary: its description, its limits and its formula.
#include "core/scaling/proportional.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/index.h"
#include "core/base/memo.h"
#include "core/scaling/method.h"

namespace ropescope {
namespace {

constexpr Setting kTurningShare{
    .name = "partial_rotary_factor",
    .label = "share of the pairs that turn",
    .help = "Share of the pairs that turn at all in proportional scaling.",
    .min = 0.0625,
    .max = 1,
    .lowest = 1e-6,
    .highest = 1};

}  // namespace

Index turning_pairs(const ProportionalScaling& scaling, const FrequencyInput& input) {
    return floor_to_index(scaling.partial_rotary_factor * to_double(input.head_dim) / 2.0);
}

namespace {

void validate(const ProportionalScaling& scaling, const FrequencyInput& input) {
    require_factor("factor", scaling.factor);
    require_positive("partial_rotary_factor", scaling.partial_rotary_factor);
    if (scaling.partial_rotary_factor > 1.0) {
        throw InputError(
            fmt::format("partial_rotary_factor: {} is more than the whole head; give at most 1",
                        scaling.partial_rotary_factor));
    }
    if (input.rotary_dim != input.head_dim) {
        throw InputError(fmt::format(
            "rope_type: proportional spans the whole head; give rotary_dim the head_dim {}, not {}",
            input.head_dim, input.rotary_dim));
    }
}

Frequencies frequencies(const ProportionalScaling& scaling, const FrequencyInput& input) {
    Frequencies result{default_inv_freq(input.head_dim, input.base)};
    const Index turning = turning_pairs(scaling, input);
    for (Index i = 0; i < input.pairs(); ++i) {
        result.inv_freq_rad[i] = i < turning ? result.inv_freq_rad[i] / scaling.factor : 0.0;
    }
    return result;
}

double fp32_units(const ProportionalScaling&, const FrequencyInput&, Index, double) {
    return 1.0;
}

}  // namespace

const Description<ProportionalScaling>& ProportionalScaling::description() {
    return made_once([] {
        return Description<ProportionalScaling>{
            .facts =
                {.type = "proportional",
                 .title = "proportional rotary",
                 .source = "Hugging Face transformers, rope type proportional",
                 .statement =
                     "Exponents run over the whole head, and pairs beyond the share stand still.",
                 .extends = false},
            .validate = validate,
            .frequencies = frequencies,
            .fp32_units = fp32_units,
            .fields = {{.key = "partial_rotary_factor",
                        .member = &ProportionalScaling::partial_rotary_factor,
                        .missing = Missing::by_rule,
                        .setting = kTurningShare},
                       {.key = "factor",
                        .member = &ProportionalScaling::factor,
                        .setting = kScalingFactor}}};
    });
}

}  // namespace ropescope
