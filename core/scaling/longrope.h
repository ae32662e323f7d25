// LongRoPE: Ding et al., arXiv:2402.13753; Hugging Face rope type "longrope" (older files: "su"),
// as Phi-3 uses it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/scaling/method.h"

namespace ropescope {

/// inv_freq'[i] = inv_freq[i] / f[i], f = long_factor for sequences longer than the original
/// length, short_factor otherwise (also if the length is not known).
struct LongRopeScaling {
    std::vector<double> short_factor;  ///< [pairs]
    std::vector<double> long_factor;   ///< [pairs]
    std::int64_t original_positions = 0;
    /// Target length over original length. It determines only the attention factor.
    double factor = 1.0;
    std::optional<double> attention_factor = std::nullopt;  ///< given outright; computed otherwise
    /// Phi-3.5-MoE: the attention factor up to the original length and beyond it.
    std::optional<double> short_mscale = std::nullopt, long_mscale = std::nullopt;
    bool operator==(const LongRopeScaling&) const = default;
    static const Description<LongRopeScaling>& description();
};

void validate(const LongRopeScaling& scaling, const FrequencyInput& input);
/// attention_factor: the mscale of the length; else the one given; else sqrt(1 + ln(factor) /
/// ln(original_positions)) for factor > 1, else 1.
Frequencies frequencies(const LongRopeScaling& scaling, const FrequencyInput& input);

}  // namespace ropescope
