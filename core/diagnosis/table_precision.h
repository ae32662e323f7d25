// The format of an implementation's table of cos and sin, and the factor on it.
#pragma once

#include <optional>

#include "core/diagnosis/speeds.h"

namespace ropescope::diagnosis {

/// F16 or BF16 if every cosine and sine is a number of that format; F32 if not; empty if the
/// tensors are too coarse, or turn too little, to tell.
std::optional<Dtype> table_dtype(const Turns& turns, const FloatFormat& format);

/// What a table of this format adds to the angles.
AngleNoise noise_of_table(std::optional<Dtype> table);

/// The factor on the lengths of the pairs.
struct Gain {
    double value = 1.0;   ///< the median
    bool uniform = true;  ///< of all pairs and tokens, within rounding
    Index zero_token =
        -1;  ///< the first token whose rotated channels are all zero, if there is one
};
/// A gain within rounding of 1 is 1.
Gain measure_gain(const Turns& turns, const AngleNoise& noise, const FloatFormat& format);

}  // namespace ropescope::diagnosis
