// The floating-point formats that numbers are rounded to, with their unit roundoff and the rounding
// itself. IEEE 754-2019, binary64, binary32 and binary16; bfloat16 is the upper half of a binary32.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "core/base/enum_names.h"

namespace ropescope {

/// From the most exact to the coarsest. exact: nothing is rounded beyond double, and angles are
/// reduced before precision is lost.
enum class NumberFormat : std::uint8_t { exact, fp64, fp32, fp16, bf16 };
template <>
inline constexpr std::array<std::string_view, 5> kEnumNames<NumberFormat> = {
    "exact", "fp64", "fp32", "fp16", "bf16"};

/// Largest relative error of rounding to nearest, where nothing underflows or overflows.
constexpr double unit_roundoff(NumberFormat format) {
    constexpr std::array kUnits = {0.0, 0x1p-53, 0x1p-24, 0x1p-11, 0x1p-8};
    return kUnits[static_cast<std::size_t>(format)];
}

/// The format of what an operation on both gives.
constexpr NumberFormat wider(NumberFormat a, NumberFormat b) {
    return std::min(a, b);
}

/// `value` rounded once to the format, to nearest, ties to even. Subnormals are kept; what is too
/// large becomes infinite.
double round_to(NumberFormat format, double value);

// The two 16-bit floating-point formats, bit for bit: IEEE 754 binary16 ("fp16": 1 sign, 5
// exponent, 10 fraction bits) and bfloat16 ("bf16": the upper half of a binary32). Eigen's half and
// bfloat16 convert from double by way of float and so round twice; these round once, which the
// precision chains and their checks rely on.

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
