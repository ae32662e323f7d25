// The scaling methods by another route: in long double, from wavelengths and by search, as the
// papers describe them.
#pragma once

#include <vector>

#include "core/rope/rope_spec.h"

namespace ropescope {

/// inv_freq [pairs] of a scaled encoding. `spec` must be valid.
std::vector<long double> reference_scaled_inv_freq(const RopeSpec& spec);

/// The ends of YaRN's ramp: the pair that turns beta times within the original length, found by
/// bisection.
struct ReferenceRamp {
    long double low = 0, high = 0;
};
ReferenceRamp reference_ramp(const RopeSpec& spec, const YarnScaling& yarn);

}  // namespace ropescope
