// LongRoPE: Ding et al., arXiv:2402.13753; Hugging Face rope type "longrope" (older files: "su"),
// as Phi-3 uses it.
/// attention_factor: the mscale of the length; else the one given; else sqrt(1 + ln(factor) /
/// ln(original_positions)) for factor > 1, else 1.
#include <cmath>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/index.h"
#include "core/base/memo.h"
#include "core/scaling/method.h"

namespace ropescope {
namespace {

constexpr Setting kShortFactor{
    .name = "longrope_short",
    .label = "short factors",
    .help =
        "LongRoPE's short_factor, one number for each pair, separated by "
        "commas; empty: all 1."};
constexpr Setting kLongFactor{.name = "longrope_long",
                              .label = "long factors",
                              .help =
                                  "LongRoPE's long_factor, one number for each pair, separated by "
                                  "commas; empty: all the scaling factor."};

void require_factors(const char* key, const std::vector<double>& factors,
                     const FrequencyInput& input) {
    if (std::ssize(factors) != input.pairs()) {
        throw InputError(fmt::format("{}: {} entries; rotary_dim {} needs {}, one for each pair",
                                     key, factors.size(), input.rotary_dim, input.pairs()));
    }
    for (Index i = 0; i < std::ssize(factors); ++i) {
        require_positive(fmt::format("{}[{}]", key, i), factors[i]);
    }
}

double attention_factor(const LongRopeScaling& scaling, bool is_long) {
    if (const auto mscale = is_long ? scaling.long_mscale : scaling.short_mscale) {
        return *mscale;
    }
    if (scaling.attention_factor) {
        return *scaling.attention_factor;
    }
    if (scaling.factor <= 1.0) {
        return 1.0;
    }
    const double original = to_double(scaling.original_positions);
    return std::sqrt(1.0 + std::log(scaling.factor) / std::log(original));
}

void validate(const LongRopeScaling& scaling, const FrequencyInput& input) {
    require_factors("short_factor", scaling.short_factor, input);
    require_factors("long_factor", scaling.long_factor, input);
    require_factor("factor", scaling.factor);
    if (scaling.original_positions < 2) {
        throw InputError(
            fmt::format("original_max_position_embeddings: {}; LongRoPE divides by "
                        "its logarithm, give "
                        "the trained length, at least 2",
                        scaling.original_positions));
    }
    const auto require_given = [](const char* key, const std::optional<double>& value) {
        if (value) {
            require_positive(key, *value);
        }
    };
    require_given("attention_factor", scaling.attention_factor);
    require_given("short_mscale", scaling.short_mscale);
    require_given("long_mscale", scaling.long_mscale);
}

/// attention_factor: the mscale of the length; else the one given; else sqrt(1 + ln(factor) /
/// ln(original_positions)) for factor > 1, else 1.
Frequencies frequencies(const LongRopeScaling& scaling, const FrequencyInput& input) {
    const bool is_long = input.seq_len > scaling.original_positions;
    Frequencies result{default_inv_freq(input.rotary_dim, input.base),
                       attention_factor(scaling, is_long)};
    const std::vector<double>& factors = is_long ? scaling.long_factor : scaling.short_factor;
    for (int i = 0; i < input.pairs(); ++i) {
        result.inv_freq_rad[i] /= factors[i];
    }
    return result;
}

double fp32_units(const LongRopeScaling&, const FrequencyInput&, Index, double) {
    return 2.0;
}

}  // namespace

const Description<LongRopeScaling>& LongRopeScaling::description() {
    return made_once([] {
        return Description<LongRopeScaling>{
            .facts = {.type = "longrope",
                      .name = "LongRoPE",
                      .older_type = "su",
                      .title = "LongRoPE's two lists",
                      .source = "Ding et al., arXiv:2402.13753",
                      .statement =
                          "Beyond the original length the long list divides the frequencies, "
                          "else the short one.",
                      .depends_on_seq_len = true,
                      .searched = true},
            .validate = validate,
            .frequencies = frequencies,
            .fp32_units = fp32_units,
            .fields = {{.key = "factor",
                        .member = &LongRopeScaling::factor,
                        .missing = Missing::by_rule,
                        .setting = kScalingFactor},
                       {.key = "original_max_position_embeddings",
                        .member = &LongRopeScaling::original_positions,
                        .missing = Missing::from_lengths,
                        .setting = kOriginalLength},
                       {.key = "attention_factor",
                        .member = &LongRopeScaling::attention_factor,
                        .setting = kAttentionFactor},
                       {.key = "short_mscale",
                        .member = &LongRopeScaling::short_mscale,
                        .missing = Missing::by_rule},
                       {.key = "long_mscale",
                        .member = &LongRopeScaling::long_mscale,
                        .missing = Missing::by_rule},
                       {.key = "short_factor",
                        .member = &LongRopeScaling::short_factor,
                        .missing = Missing::refused,
                        .setting = kShortFactor},
                       {.key = "long_factor",
                        .member = &LongRopeScaling::long_factor,
                        .missing = Missing::refused,
                        .setting = kLongFactor}}};
    });
}

}  // namespace ropescope
