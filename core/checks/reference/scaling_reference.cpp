// Computes the frequencies of the scaling methods in long double, by another route than the engine.
#include "core/checks/reference/scaling_reference.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/index.h"
#include "core/base/wide_math.h"
#include "core/checks/reference/long_double_reference.h"

namespace ropescope {
namespace {

using Real = long double;

constexpr Real kTurn = 2 * std::numbers::pi_v<Real>;

/// e^(-x i) with x = ln(base) 2 / rotary_dim, for any i between the pairs, too.
Real inv_freq_at(const RopeSpec& spec, Real pair) {
    const Real base = spec.base;
    return wide_exp(-2 * pair / spec.rotary_dim * wide_log(base));
}

/// The pair that turns `turns` times within `length` positions: turns fall along the pairs, so
/// halving finds it. Far beyond both ends, where the ramp is cut off anyway.
Real pair_with_turns(const RopeSpec& spec, Real turns, Real length) {
    Real few = -4.0L * spec.rotary_dim, many = 8.0L * spec.rotary_dim;
    for (int step = 0; step < 120; ++step) {
        const Real middle = (few + many) / 2;
        (length * inv_freq_at(spec, middle) / kTurn > turns ? few : many) = middle;
    }
    return (few + many) / 2;
}

struct ReferenceSpectrum {
    const RopeSpec& spec;
    const ReferenceRamp& ramp;  ///< of YaRN
    Index pair;

    Real plain() const { return reference_inv_freq(spec.base, spec.rotary_dim, pair); }
    /// The base grows by stretch^(d / (d - 2)), so this pair slows down by stretch^(2i / (d - 2)).
    Real stretched(Real stretch) const {
        return plain() / wide_power(stretch, 2.0L * pair / (spec.rotary_dim - 2));
    }

    Real operator()(const NoScaling&) const { return plain(); }
    Real operator()(const LinearScaling& linear) const { return plain() / linear.factor; }
    Real operator()(const NtkScaling& ntk) const { return stretched(ntk.factor); }
    Real operator()(const DynamicNtkScaling& ntk) const {
        const Real beyond = std::max<Index>(0, spec.seq_len - ntk.original_positions);
        return stretched(1 + ntk.factor * beyond / ntk.original_positions);
    }
    Real operator()(const YarnScaling& yarn) const {
        Real slowed = (pair - ramp.low) / (ramp.high - ramp.low);
        slowed = std::min<Real>(1, std::max<Real>(0, slowed));
        return plain() * (1 - slowed * (1 - Real(1) / yarn.factor));
    }
    Real operator()(const Llama3Scaling& llama) const {
        const Real wavelength = kTurn / plain();
        const Real length = llama.original_positions;
        const Real longest = length / llama.low_freq_factor;
        const Real shortest = length / llama.high_freq_factor;
        if (wavelength < shortest) {
            return plain();
        }
        if (wavelength > longest) {
            return plain() / llama.factor;
        }
        // The share that keeps its speed falls with 1 / wavelength, from 1 to 0 between the two.
        const Real kept = (1 / wavelength - 1 / longest) / (1 / shortest - 1 / longest);
        return plain() * (kept + (1 - kept) / llama.factor);
    }
    Real operator()(const LongRopeScaling& longrope) const {
        const bool is_long = spec.seq_len > longrope.original_positions;
        return plain() / (is_long ? longrope.long_factor : longrope.short_factor).at(pair);
    }
    Real operator()(const ProportionalScaling& proportional) const {
        const Real share = proportional.partial_rotary_factor;
        const bool turns = 2 * (pair + 1) <= share * spec.head_dim;
        return turns ? plain() / proportional.factor : 0;
    }
};

}  // namespace

ReferenceRamp reference_ramp(const RopeSpec& spec, const YarnScaling& yarn) {
    const Real length = yarn.original_positions;
    ReferenceRamp ramp{pair_with_turns(spec, yarn.beta_fast, length),
                       pair_with_turns(spec, yarn.beta_slow, length)};
    if (yarn.truncate) {
        ramp = {std::floor(ramp.low), std::ceil(ramp.high)};
    }
    return {std::max<Real>(0, ramp.low), std::min<Real>(spec.rotary_dim - 1, ramp.high)};
}

std::vector<long double> reference_scaled_inv_freq(const RopeSpec& spec) {
    const auto* yarn = std::get_if<YarnScaling>(&spec.scaling);
    const ReferenceRamp ramp = yarn == nullptr ? ReferenceRamp{} : reference_ramp(spec, *yarn);
    std::vector<long double> inv_freq;
    for (Index pair = 0; pair < spec.pairs(); ++pair) {
        inv_freq.push_back(std::visit(ReferenceSpectrum{spec, ramp, pair}, spec.scaling));
    }
    return inv_freq;
}

}  // namespace ropescope
