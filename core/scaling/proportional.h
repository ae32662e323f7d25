// Proportional rotary: Hugging Face rope type "proportional", as Gemma's global layers use it.
#pragma once

#include "core/scaling/method.h"
#include "core/scaling/scaling.h"

namespace ropescope {

/// Pairs with a frequency above zero.
Index turning_pairs(const ProportionalScaling& scaling, const FrequencyInput& input);

}  // namespace ropescope
