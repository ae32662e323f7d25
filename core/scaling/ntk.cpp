// NTK-aware scaling and its dynamic form: descriptions, limits and formulas.
#include "core/scaling/ntk.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/index.h"
#include "core/base/memo.h"
#include "core/scaling/method.h"

namespace ropescope {
namespace {

void require_two_pairs(const FrequencyInput& input) {
    if (input.rotary_dim <= 2) {
        throw InputError(fmt::format(
            "rope_type: NTK scaling divides by rotary_dim - 2, and rotary_dim is {}; give a "
            "rotary_dim of at least 4 or another rope_type",
            input.rotary_dim));
    }
}

/// base * stretch^(d / (d - 2)): pair d/2 - 1, whose exponent is (d - 2) / d, slows down by
/// `stretch`.
double enlarged_base(double stretch, const FrequencyInput& input) {
    const double d = to_double(input.rotary_dim);
    return input.base * std::pow(stretch, d / (d - 2.0));
}

}  // namespace

double scaled_base(const NtkScaling& scaling, const FrequencyInput& input) {
    return enlarged_base(scaling.factor, input);
}

double scaled_base(const DynamicNtkScaling& scaling, const FrequencyInput& input) {
    const double trained = to_double(scaling.original_positions);
    const double length = std::max(to_double(input.seq_len), trained);
    return enlarged_base(scaling.factor * length / trained - (scaling.factor - 1.0), input);
}

namespace {

void validate(const NtkScaling& scaling, const FrequencyInput& input) {
    require_factor("factor", scaling.factor);
    require_two_pairs(input);
}

Frequencies frequencies(const NtkScaling& scaling, const FrequencyInput& input) {
    return {default_inv_freq(input.rotary_dim, scaled_base(scaling, input))};
}

void validate(const DynamicNtkScaling& scaling, const FrequencyInput& input) {
    require_factor("factor", scaling.factor);
    require_length("max_position_embeddings", scaling.original_positions);
    require_two_pairs(input);
}

Frequencies frequencies(const DynamicNtkScaling& scaling, const FrequencyInput& input) {
    return {default_inv_freq(input.rotary_dim, scaled_base(scaling, input))};
}

/// A base that is off by three roundings and those of a power.
double fp32_units(const NtkScaling&, const FrequencyInput&, Index, double) {
    return 6.0;
}

double fp32_units(const DynamicNtkScaling&, const FrequencyInput&, Index, double) {
    return 6.0;
}

}  // namespace

const Description<NtkScaling>& NtkScaling::description() {
    return made_once([] {
        return Description<NtkScaling>{
            .facts = {.type = "ntk",
                      .name = "NTK-aware",
                      .title = "NTK-aware: base s^(d/(d-2))",
                      .source = "YaRN, section 3.1",
                      .statement =
                          "The larger base slows pair i down by s^(2i/(d-2)): the last by s, "
                          "the first not at all."},
            .validate = validate,
            .frequencies = frequencies,
            .fp32_units = fp32_units,
            .fields = {{.key = "factor",
                        .member = &NtkScaling::factor,
                        .missing = Missing::refused,
                        .setting = kScalingFactor}}};
    });
}

const Description<DynamicNtkScaling>& DynamicNtkScaling::description() {
    return made_once([] {
        return Description<DynamicNtkScaling>{
            .facts = {.type = "dynamic",
                      .name = "dynamic NTK",
                      .title = "dynamic NTK with the length",
                      .source = "Hugging Face transformers, rope type dynamic",
                      .statement =
                          "Up to the trained length nothing changes; beyond it the stretch "
                          "grows with the length.",
                      .depends_on_seq_len = true},
            .validate = validate,
            .frequencies = frequencies,
            .fp32_units = fp32_units,
            .fields = {{.key = "factor",
                        .member = &DynamicNtkScaling::factor,
                        .missing = Missing::refused,
                        .setting = kScalingFactor},
                       {.key = "max_position_embeddings",
                        .member = &DynamicNtkScaling::original_positions,
                        .missing = Missing::beside,
                        .setting = kOriginalLength}}};
    });
}

}  // namespace ropescope
