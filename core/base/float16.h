// The two 16-bit floating-point formats, bit for bit: IEEE 754 binary16 ("fp16": 1 sign, 5
// exponent, 10 fraction bits) and bfloat16 ("bf16": the upper half of a binary32). Eigen's half and
// bfloat16 convert from double by way of float and so round twice; these round once, which the
// precision chains and their checks rely on.
#pragma once

#include <cstdint>

namespace ropescope {

/// Exact conversions. A NaN keeps its sign and payload.
float f32_from_f16(std::uint16_t bits);
float f32_from_bf16(std::uint16_t bits);

/// Round to nearest, ties to even, once, also from double. A value that exceeds the largest finite
/// one by half a unit or more becomes infinite; half the smallest subnormal or less becomes zero of
/// the same sign. A NaN keeps its sign and the upper bits of its payload, and stays a NaN.
std::uint16_t f16_from_f32(float value);
std::uint16_t f16_from_f64(double value);
std::uint16_t bf16_from_f32(float value);
std::uint16_t bf16_from_f64(double value);

}  // namespace ropescope
