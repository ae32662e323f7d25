// No scaling: Hugging Face rope type "default".
#pragma once

#include "core/scaling/method.h"

namespace ropescope {

struct NoScaling {
    bool operator==(const NoScaling&) const = default;
    static const Description<NoScaling>& description();
};

void validate(const NoScaling& scaling, const FrequencyInput& input);
Frequencies frequencies(const NoScaling& scaling, const FrequencyInput& input);

}  // namespace ropescope
