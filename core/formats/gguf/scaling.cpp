// Reads rope.scaling.* and recognises the method behind lists of factors.
#include "core/formats/gguf/scaling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "core/base/characters.h"
#include "core/base/index.h"
#include "core/base/number_format.h"
#include "core/formats/gguf/file.h"
#include "core/formats/limits.h"
#include "core/scaling/method.h"
#include "core/scaling/yarn.h"

namespace ropescope::gguf {
namespace {

constexpr std::int64_t kLeastLength = 2;  // LongRopeScaling divides by its logarithm

/// What the converter writes for a pair that does not turn (conversion/gemma.py): 1e30 in fp32.
const double kStillFactor = static_cast<double>(1e30F);

/// The first of the pairs that have factors for all of them.
std::optional<std::vector<double>> factors_of(const Metadata& file, const char* tensor,
                                              const RopeSpec& spec) {
    auto factors = file.config.numbers(tensor, kMaxHeadDim / 2);
    if (!factors) {
        return std::nullopt;
    }
    if (std::ssize(*factors) < spec.pairs()) {
        file.config.fail(tensor, fmt::format("{} values; one for each of the {} pairs is expected",
                                             factors->size(), spec.pairs()));
    }
    factors->resize(static_cast<std::size_t>(spec.pairs()));  // as ggml: the others are not read
    for (std::size_t i = 0; i < factors->size(); ++i) {
        if (!((*factors)[i] > 0.0)) {
            file.config.fail(fmt::format("{}[{}]", tensor, i),
                             fmt::format("{}; a factor above 0 is expected", (*factors)[i]));
        }
    }
    return factors;
}

/// The factors times a number, which divide the frequencies at every length.
LongRopeScaling divided_by(std::span<const double> factors, double times, double attention_factor,
                           std::int64_t positions) {
    LongRopeScaling scaling;
    for (const double factor : factors) {
        scaling.short_factor.push_back(factor * times);
    }
    scaling.long_factor = scaling.short_factor;
    scaling.original_positions = std::max(positions, kLeastLength);
    scaling.attention_factor = attention_factor;
    return scaling;
}

/// Ones and then pairs that do not turn.
std::optional<Scaling> proportional(std::span<const double> factors, const RopeSpec& spec) {
    const auto first_still = std::ranges::find(factors, kStillFactor);
    const auto is_one = [](double factor) { return factor == 1.0; };
    const auto is_still = [](double factor) { return factor == kStillFactor; };
    const bool matches = std::all_of(factors.begin(), first_still, is_one) &&
                         std::all_of(first_still, factors.end(), is_still) &&
                         first_still != factors.begin() && spec.rotary_dim == spec.head_dim;
    if (!matches) {
        return std::nullopt;
    }
    const Index turning = first_still - factors.begin();
    return ProportionalScaling{.partial_rotary_factor =
                                   to_double(2 * turning) / to_double(spec.head_dim)};
}

/// Whether the factors are those of `llama3`, as conversion/llama.py computes them: in fp32, from
/// frequencies base^-x in fp32. With u = 2^-24, the frequency is off by the rounding of x, which
/// the logarithm of the base magnifies, of the power, and of its reciprocal: (ln base + 3) u. The
/// turns t within the original length take three operations more, and s = (t - low) / (high - low)
/// one; f = 1 / ((1 - s) / factor + s), whose derivative by s is at most f^2, takes five.
bool are_of(std::span<const double> factors, const Llama3Scaling& llama3, const RopeSpec& spec) {
    constexpr double kUnit = unit_roundoff(NumberFormat::fp32);
    RopeSpec scaled = spec;
    scaled.scaling = NoScaling{};
    const std::vector<double> plain =
        frequencies(scaled.scaling, frequency_input(scaled)).inv_freq_rad;
    const std::vector<double> slowed = frequencies(llama3, frequency_input(scaled)).inv_freq_rad;
    const double span = llama3.high_freq_factor - llama3.low_freq_factor;
    for (std::size_t i = 0; i < factors.size(); ++i) {
        const double expected = plain[i] / slowed[i];
        const double turns =
            to_double(llama3.original_positions) * plain[i] / (2.0 * std::numbers::pi);
        // Far from the ramp f is 1 or the factor, however the turns are rounded.
        const double ramp_turns = std::min(turns, 2.0 * llama3.high_freq_factor);
        const double turns_error = ramp_turns * (std::log(spec.base) + 6.0) * kUnit;
        const double share_error = (turns_error + 2.0 * llama3.high_freq_factor * kUnit) / span;
        const bool on_ramp = turns + turns_error >= llama3.low_freq_factor &&
                             turns - turns_error <= llama3.high_freq_factor;
        const double bound =
            on_ramp ? expected * expected * share_error + 5.0 * expected * kUnit : expected * kUnit;
        if (!(std::abs(factors[i] - expected) <= bound)) {
            return false;
        }
    }
    return true;
}

std::optional<Scaling> llama3(std::span<const double> factors, const RopeSpec& spec) {
    const double factor = factors.back();  // of the slowest pair
    if (!(factor > 1.0 && factor <= kMaxFactor) || factors.front() != 1.0) {
        return std::nullopt;
    }
    // The ramp of Llama 3.1 and its kin.
    const Llama3Scaling ramp{.factor = factor};
    if (are_of(factors, ramp, spec)) {
        return ramp;
    }
    // Llama 4 Scout's step, which config.json gives as the narrowest ramp, too.
    Llama3Scaling step{.factor = factor};
    step.high_freq_factor = std::nextafter(step.low_freq_factor, 2.0);
    const auto is_end = [&](double each) { return each == 1.0 || each == factor; };
    const bool matches = std::ranges::all_of(factors, is_end) && are_of(factors, step, spec);
    return matches ? std::optional<Scaling>(step) : std::nullopt;
}

/// The values of rope.scaling.*.
struct Stated {
    std::string type;
    double factor = 1.0;
    double attention = 1.0;  ///< on cos and sin, beside what the method gives
    std::int64_t original = 0;
};

Stated read_stated(const Metadata& file, std::int64_t positions) {
    Stated stated;
    // llama.cpp takes a missing type for linear, whose factor 1 changes nothing.
    stated.type = file.config.text(file.key("rope.scaling.type")).value_or("linear");
    for (const char* key : {"rope.scaling.factor", "rope.scale_linear"}) {
        if (const auto factor = file.number(key)) {
            if (!(*factor == 0.0 || (*factor > 0.0 && *factor <= kMaxFactor))) {
                file.fail(key, fmt::format("{}; a factor above 0 is expected", *factor));
            }
            stated.factor = *factor == 0.0 ? 1.0 : *factor;  // 0 means none, as in llama.cpp
            break;
        }
    }
    stated.attention = file.positive("rope.scaling.attn_factor", kMaxFactor).value_or(1.0);
    stated.original =
        file.integer("rope.scaling.original_context_length", 0, kMaxSeqLen).value_or(0);
    if (stated.original == 0) {
        stated.original = positions;
    }
    return stated;
}

/// yarn_log_multiplier: mscale_all_dim, or a tenth of it, which llama.cpp divides by 0.1 in fp32.
std::optional<double> mscale_all_dim(const Metadata& file) {
    const auto stated = file.number("rope.scaling.yarn_log_multiplier");
    if (!stated || *stated == 0.0) {
        return std::nullopt;
    }
    return file.row.log_multiplier_in_tenths ? *stated / static_cast<double>(0.1F) : *stated;
}

Scaling yarn(const Metadata& file, const Stated& stated) {
    if (stated.original == 0) {
        file.fail("rope.scaling.original_context_length",
                  "is missing; YaRN needs the length before the extension");
    }
    YarnScaling scaling{.factor = stated.factor, .original_positions = stated.original};
    scaling.beta_fast =
        file.positive("rope.scaling.yarn_beta_fast", kMaxFactor).value_or(file.row.beta_fast);
    scaling.beta_slow = file.positive("rope.scaling.yarn_beta_slow", kMaxFactor).value_or(1.0);
    const double attention =
        stated.attention * file.positive("rope.scaling.yarn_attn_factor", kMaxFactor).value_or(1.0);
    if (const auto all_dim = mscale_all_dim(file)) {
        // llama.cpp takes mscale for mscale_all_dim in the kin of DeepSeek-V2, and for 1 elsewhere.
        const double mscale = file.name == "deepseek2" ? *all_dim : 1.0;
        scaling.mscale = mscale;
        scaling.mscale_all_dim = *all_dim;
        scaling.scales_softmax = file.row.log_multiplier_in_tenths;
        if (attention != 1.0) {
            scaling.attention_factor = attention * yarn_mscale(stated.factor, mscale) /
                                       yarn_mscale(stated.factor, *all_dim);
        }
    } else if (attention != 1.0) {
        scaling.attention_factor = attention * yarn_mscale(stated.factor);
    }
    return scaling;
}

/// LongRoPE's lists; empty if the file has not both of them.
std::optional<Scaling> longrope(const Metadata& file, const Stated& stated, const RopeSpec& spec) {
    const auto short_factors = factors_of(file, kShortFactorsTensor, spec);
    const auto long_factors = factors_of(file, kLongFactorsTensor, spec);
    if (!short_factors || !long_factors) {
        if (short_factors || long_factors || stated.type == "longrope") {
            file.assume(fmt::format("{} is missing: the frequencies are not divided by it",
                                    short_factors ? kLongFactorsTensor : kShortFactorsTensor));
        }
        return std::nullopt;
    }
    if (stated.original < kLeastLength) {
        file.fail("rope.scaling.original_context_length",
                  "is missing; LongRoPE needs the length before the extension");
    }
    const double times = stated.type == "none" ? 1.0 : stated.factor;
    LongRopeScaling scaling = divided_by(*short_factors, times, stated.attention, stated.original);
    scaling.long_factor = divided_by(*long_factors, times, 1.0, stated.original).long_factor;
    file.assume(
        fmt::format("llama.cpp takes the long factors if its whole context is longer than "
                    "{}, not if the sequence is",
                    stated.original));
    return scaling;
}

/// What made the factors of rope_freqs.weight is not in the file.
Scaling stated_factors(const Metadata& file, std::span<const double> factors, const RopeSpec& spec,
                       std::int64_t positions) {
    Scaling found = scaling_of_factors(factors, spec, positions);
    if (std::holds_alternative<LongRopeScaling>(found)) {
        file.assume(
            fmt::format("{} has factors that are not Llama 3's: each pair is divided by its own at "
                        "every length, which a config.json says by longrope with twice the same "
                        "factors",
                        kFactorsTensor));
    }
    return found;
}

}  // namespace

Scaling scaling_of_factors(std::span<const double> factors, const RopeSpec& spec,
                           std::int64_t positions) {
    if (auto found = proportional(factors, spec)) {
        const bool all_turn = std::get<ProportionalScaling>(*found).partial_rotary_factor == 1.0;
        return all_turn ? Scaling(NoScaling{}) : *found;
    }
    if (std::ranges::all_of(factors, [](double factor) { return factor == 1.0; })) {
        return NoScaling{};
    }
    if (auto found = llama3(factors, spec)) {
        return *found;
    }
    return divided_by(factors, 1.0, 1.0, positions);
}

Scaling read_scaling(const Metadata& file, const RopeSpec& spec, std::int64_t positions) {
    const Stated stated = read_stated(file, positions);
    constexpr std::array<std::string_view, 4> kTypes = {"none", "linear", "yarn", "longrope"};
    if (std::ranges::find(kTypes, stated.type) == kTypes.end()) {
        file.fail("rope.scaling.type", fmt::format("{}; none, linear, yarn or longrope is expected",
                                                   in_quotes(stated.type)));
    }
    const auto factors = factors_of(file, kFactorsTensor, spec);
    const double mixed = file.number("rope.scaling.yarn_ext_factor").value_or(1.0);
    if (stated.type == "yarn" && mixed != 0.0) {
        if (mixed != 1.0) {
            file.fail("rope.scaling.yarn_ext_factor",
                      fmt::format("{}; 0 or 1 is expected: others mix YaRN with position "
                                  "interpolation, which is not read",
                                  mixed));
        }
        if (factors && *factors != std::vector<double>(factors->size(), 1.0)) {
            file.config.fail(kFactorsTensor, "stands beside YaRN, and both together are not read");
        }
        return yarn(file, stated);
    }
    if (!factors) {
        if (auto found = longrope(file, stated, spec)) {
            return *found;
        }
    }
    const double times = stated.type == "none" ? 1.0 : stated.factor;
    const auto alpha =
        file.row.reads_alpha ? file.number("rope.scaling.alpha") : std::optional<double>();
    if (alpha.value_or(0.0) > 0.0 && !factors &&
        times == 1.0) {  // else llama.cpp stretches nothing
        return NtkScaling{*alpha};
    }
    if (times == 1.0 && stated.attention == 1.0) {
        return factors ? stated_factors(file, *factors, spec, positions) : Scaling(NoScaling{});
    }
    if (!factors && stated.attention == 1.0) {
        return LinearScaling{times};
    }
    const std::vector<double> ones(static_cast<std::size_t>(spec.pairs()), 1.0);
    return divided_by(factors.value_or(ones), times, stated.attention, stated.original);
}

}  // namespace ropescope::gguf
