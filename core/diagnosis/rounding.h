// The rounding that a dump's numbers carry, from which every tolerance of the analysis follows.
#pragma once

#include <optional>
#include <string_view>

#include "core/diagnosis/dump.h"

namespace ropescope::diagnosis {

/// A floating-point format: half a unit in the last place of 1, and the smallest step.
struct FloatFormat {
    Dtype dtype = Dtype::f32;
    double unit = 0x1p-24;
    double smallest = 0x1p-149;
};

FloatFormat format_of(Dtype dtype);
/// The nearest number of the format.
double round_to(Dtype dtype, double value);
/// "float32", "float16", "bfloat16", "float64"
std::string_view numpy_name(Dtype dtype);

/// What a grid of 8 bits leaves of a number: half a step as a share of it, at most, and of int8
/// that of a number in the middle of those that it has. A search may take it; what is held to
/// numbers takes their cells.
FloatFormat format_of_grid(const Quantised& quantised);

/// The format that all values of the tensor belong to, or the steps of its grid: narrower than its
/// dtype if a bf16 tensor was saved as F32, which NumPy makes people do.
FloatFormat effective_format(const DumpTensor& tensor);

/// The format in which a rotation was computed: that of the numbers behind it, or, if they were
/// rounded to 8 bits afterwards, that of the numbers before it, and bfloat16 if these have 8 bits,
/// too.
FloatFormat format_of_rotation(const DumpSide& side);

/// Half a unit in the last place of 1 in float32.
inline constexpr double kUnitOfF32 = 0x1p-24;

/// Bound of the rounding error of a rotated pair (x', y'), as a share of its length: the dumped x
/// and y may be rounded (1 unit), two products and a sum round (2 units, of at most sqrt(2) of the
/// length), and the result once more.
constexpr double kRotationUnits = 4.0;

/// Bound of the relative error of a frequency and its angle that are formed in fp32, in units of
/// 2^-24: the exponent (ln base of it), the power (2), its reciprocal, the product, the cosine.
double angle_units(double base);

}  // namespace ropescope::diagnosis
