// NTK-aware scaling: a larger base instead of slower positions. Source: the proposal of 2023 on the
// LocalLLaMA forum, restated in YaRN, arXiv:2309.00071, section 3.1; and its dynamic form, Hugging
// Face rope type "dynamic".
#pragma once

#include "core/scaling/method.h"
#include "core/scaling/scaling.h"

namespace ropescope {

/// The enlarged bases by themselves.
double scaled_base(const NtkScaling& scaling, const FrequencyInput& input);
double scaled_base(const DynamicNtkScaling& scaling, const FrequencyInput& input);

}  // namespace ropescope
