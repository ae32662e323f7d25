// Linear scaling, "position interpolation": Chen et al., arXiv:2306.15595; Hugging Face rope type
// "linear".
#pragma once

#include "core/scaling/method.h"

namespace ropescope {

/// inv_freq'[i] = inv_freq[i] / factor: position m is read as m / factor.
struct LinearScaling {
    double factor = 1.0;  ///< >= 1
    bool operator==(const LinearScaling&) const = default;
    static const Description<LinearScaling>& description();
};

void validate(const LinearScaling& scaling, const FrequencyInput& input);
Frequencies frequencies(const LinearScaling& scaling, const FrequencyInput& input);

}  // namespace ropescope
