// Linear scaling, "position interpolation": Chen et al., arXiv:2306.15595; Hugging Face rope type
// "linear".
#pragma once

#include "core/scaling/method.h"
#include "core/scaling/scaling.h"

namespace ropescope {

void validate(const LinearScaling& scaling, const FrequencyInput& input);
Frequencies frequencies(const LinearScaling& scaling, const FrequencyInput& input);

}  // namespace ropescope
