// YaRN: Peng et al., arXiv:2309.00071, sections 3.2 and 3.4; Hugging Face rope type "yarn";
// DeepSeek's mscale and mscale_all_dim.
#pragma once

#include <cstdint>
#include <optional>

#include "core/scaling/method.h"

namespace ropescope {

/// With r(i) = clamp((i - low) / (high - low), 0, 1) over the pairs:
///   inv_freq'[i] = inv_freq[i] / factor * r(i) + inv_freq[i] * (1 - r(i))
/// Pairs that turn more than beta_fast times within the original length keep their speed, pairs
/// that turn less than beta_slow times are interpolated, and a ramp lies between.
struct YarnScaling {
    double factor = 1.0;  ///< >= 1
    std::int64_t original_positions = 0;
    double beta_fast = 32.0;  ///< turns within the original length at the ramp's fast end
    double beta_slow = 1.0;   ///< the same at its slow end
    bool truncate = true;     ///< the ramp's ends are rounded outwards to whole pairs
    std::optional<double> attention_factor = std::nullopt;  ///< given outright; computed otherwise
    std::optional<double> mscale = std::nullopt;
    std::optional<double> mscale_all_dim = std::nullopt;
    /// DeepSeek multiplies the softmax scale by get_mscale(factor, mscale_all_dim)^2; others do
    /// not.
    bool scales_softmax = false;
    bool operator==(const YarnScaling&) const = default;
    static const Description<YarnScaling>& description();
};

/// The pairs between which the ramp runs, not rounded when truncate is off.
struct YarnRamp {
    double low = 0.0;
    double high = 0.0;
};
YarnRamp yarn_ramp(const YarnScaling& scaling, const FrequencyInput& input);

/// 0.1 * mscale * ln(factor) + 1 for factor > 1, else 1 (arXiv:2309.00071, eq. 22; DeepSeek's
/// yarn_get_mscale).
double yarn_mscale(double factor, double mscale = 1.0);

void validate(const YarnScaling& scaling, const FrequencyInput& input);
/// attention_factor: the one given; else yarn_mscale(factor, mscale) / yarn_mscale(factor,
/// mscale_all_dim) when both are there and not 0; else yarn_mscale(factor).
Frequencies frequencies(const YarnScaling& scaling, const FrequencyInput& input);

}  // namespace ropescope
