// Llama 3.1's scaling: Meta's llama-models, apply_scaling; Hugging Face rope type "llama3".
#pragma once

#include "core/scaling/method.h"
#include "core/scaling/scaling.h"

namespace ropescope {

void validate(const Llama3Scaling& scaling, const FrequencyInput& input);
Frequencies frequencies(const Llama3Scaling& scaling, const FrequencyInput& input);

}  // namespace ropescope
