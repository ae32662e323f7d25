// The checks of rounding. They take the functions that round and that compute a row of a chain, so
// that tests can run them on wrong ones.
#pragma once

#include <functional>

#include "core/analysis/precision.h"
#include "core/checks/check.h"

namespace ropescope {

/// A 16-bit format: the exact value of a pattern, and the pattern of a value.
struct HalfFormat {
    const char* name;
    int fraction_bits;
    std::uint16_t infinity;  ///< the pattern of infinity
    std::function<float(std::uint16_t)> value;
    std::function<std::uint16_t(double)> rounded;
};
HalfFormat fp16_format();
HalfFormat bf16_format();

/// Counts patterns, midpoints and neighbours of midpoints that are not rounded to nearest even.
CheckFinding rounds_to_nearest_even(const HalfFormat& format);

using FillRow = std::function<void(const PrecisionChain&, const Spectrum&, std::int64_t position,
                                   ChainRow& row)>;
CheckFinding tables_err_by_half_a_unit(const FillRow& fill, const Cases& cases = {});
CheckFinding fp32_angles_err_with_position(const FillRow& fill, const Cases& cases = {});
CheckFinding bf16_positions_collide(const FillRow& fill);
CheckFinding bf16_frequencies_stay_relative(const FillRow& fill, const Cases& cases = {});

}  // namespace ropescope
