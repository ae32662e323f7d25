// The two 16-bit floating-point formats, bit for bit: IEEE 754 binary16 ("fp16": 1 sign, 5
// exponent, 10 fraction bits) and bfloat16 ("bf16": the upper half of a binary32).
#pragma once

#include <cstdint>

namespace ropescope {

/// Exact. A NaN keeps its sign and payload.
float f32_from_f16(std::uint16_t bits);
float f32_from_bf16(std::uint16_t bits);

/// Round to nearest, ties to even; beyond the largest finite value by half a unit or more gives
/// infinity, below half the smallest subnormal a zero of the same sign. A NaN keeps its sign and
/// the upper bits of its payload, and stays a NaN. From double there is one rounding, not two.
std::uint16_t f16_from_f32(float value);
std::uint16_t f16_from_f64(double value);
std::uint16_t bf16_from_f32(float value);
std::uint16_t bf16_from_f64(double value);

}  // namespace ropescope
