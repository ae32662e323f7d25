// YaRN: Peng et al., arXiv:2309.00071, sections 3.2 and 3.4; Hugging Face rope type "yarn";
// DeepSeek's mscale and mscale_all_dim.
#pragma once

#include "core/scaling/method.h"
#include "core/scaling/scaling.h"

namespace ropescope {

/// The pairs between which the ramp runs, not rounded when truncate is off.
struct YarnRamp {
    double low = 0.0;
    double high = 0.0;
};
YarnRamp yarn_ramp(const YarnScaling& scaling, const FrequencyInput& input);

/// 0.1 * mscale * ln(factor) + 1 for factor > 1, else 1 (arXiv:2309.00071, eq. 22; DeepSeek's
/// yarn_get_mscale).
double yarn_mscale(double factor, double mscale = 1.0);

}  // namespace ropescope
