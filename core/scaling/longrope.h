// LongRoPE: Ding et al., arXiv:2402.13753; Hugging Face rope type "longrope" (older files: "su"),
// as Phi-3 uses it.
#pragma once

#include "core/scaling/method.h"
#include "core/scaling/scaling.h"

namespace ropescope {

void validate(const LongRopeScaling& scaling, const FrequencyInput& input);
/// attention_factor: the mscale of the length; else the one given; else sqrt(1 + ln(factor) /
/// ln(original_positions)) for factor > 1, else 1.
Frequencies frequencies(const LongRopeScaling& scaling, const FrequencyInput& input);

}  // namespace ropescope
