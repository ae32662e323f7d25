// No scaling: Hugging Face rope type "default".
#pragma once

#include "core/scaling/method.h"
#include "core/scaling/scaling.h"

namespace ropescope {

void validate(const NoScaling& scaling, const FrequencyInput& input);
Frequencies frequencies(const NoScaling& scaling, const FrequencyInput& input);

}  // namespace ropescope
