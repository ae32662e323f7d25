// The format of an implementation's table of cos and sin, and the factor on it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/diagnosis/measure/speeds.h"

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
    /// [rows, length], if the factor is another one at other tokens, and the same for all pairs of
    /// a token; not a number at a token that does not tell.
    std::vector<double> by_token = {};
};
/// Lengths that grow or shrink by a factor of each pair's own from one position to the next, as
/// xPos has (arXiv 2212.10554, section 3): gain = exp(start + slope * position).
struct Stretch {
    std::vector<double> start = {}, slope = {};              ///< [pairs]; slope for one position
    std::vector<double> start_error = {}, slope_error = {};  ///< [pairs]
};
/// `positions` are [rows, length]. Empty if another factor is found at one of the tokens.
std::optional<Stretch> measure_stretch(const Turns& turns, std::span<const double> positions,
                                       const AngleNoise& noise);

/// A gain within rounding of 1 is 1.
Gain measure_gain(const Turns& turns, const AngleNoise& noise, const FloatFormat& format);

}  // namespace ropescope::diagnosis
