// Proportional rotary: Hugging Face rope type "proportional", as Gemma's global layers use it.
#pragma once

#include "core/scaling/method.h"

namespace ropescope {

/// The exponents run over head_dim, not over the rotated width: inv_freq[i] = base^(-2i / head_dim)
/// / factor for the first floor(partial_rotary_factor * head_dim / 2) pairs, and 0 (no rotation)
/// for the rest. The pairs span the whole head, so rotary_dim must equal head_dim.
struct ProportionalScaling {
    double partial_rotary_factor = 1.0;  ///< above 0, at most 1
    double factor = 1.0;                 ///< >= 1
    bool operator==(const ProportionalScaling&) const = default;
    static const Description<ProportionalScaling>& description();
};

/// Pairs with a frequency above zero.
Index turning_pairs(const ProportionalScaling& scaling, const FrequencyInput& input);

void validate(const ProportionalScaling& scaling, const FrequencyInput& input);
Frequencies frequencies(const ProportionalScaling& scaling, const FrequencyInput& input);

}  // namespace ropescope
