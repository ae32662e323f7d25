// The error analysis from which the bounds of the checks are built. u = 2^-53 is the unit roundoff
// of double: fl(a op b) = (a op b)(1 + e), |e| <= u.
#pragma once

#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <string_view>

#include "core/base/index.h"

namespace ropescope {

inline constexpr double kUnitDouble = 0x1p-53;
inline constexpr double kUnitFloat = 0x1p-24;

/// sqrt(2) rounded up so far (6e-5 of it) that the products of two errors, which the first-order
/// bounds leave out, are covered too: none of the relative errors here exceeds 1e-6.
inline constexpr double kSqrt2Up = 1.4143;

/// The precision of a computed rotation.
struct Precision {
    double unit = 0.0;      ///< unit roundoff of the arithmetic that applies cos and sin
    double rounding = 0.0;  ///< of cos and sin as they are stored, absolute
    double chain = 0.0;     ///< of cos and sin before that, when they are products of others

    /// Error of cos and sin beyond that of their angle.
    constexpr double table_error() const { return rounding + chain; }
};

/// cos and sin of the C library are within one ulp, that is 2 u for values up to 1.
inline constexpr Precision kDoublePrecision{kUnitDouble, 2 * kUnitDouble, 0.0};

/// Rounding a value below 1 to fp32 costs at most 2^-25. Before that, angle addition multiplies at
/// most 13 complex numbers in double (rotation_table.cpp), each with 3 u for the multiplication,
/// 2 sqrt(2) u for its own cos and sin and 8 u for its angle: 13 * 14 u < 2^-45.
inline constexpr Precision kFloatPrecision{kUnitFloat, 0x1p-25, 0x1p-45};

/// A bound in letters, and what the letters mean.
inline std::string bound_text(std::string_view formula) {
    return fmt::format(
        "{}; e: error of cos and sin, 2^-52, fp32 2^-25 + 2^-45; unit: 2^-53, fp32 "
        "2^-24; u: 2^-53",
        formula);
}

/// Error of reduced_angle_rad() for the inv_freq it is given: the product is exact (fma); rounding
/// a remainder of at most pi costs 2 u, adding the rest 2 u, and the rare last turn 2.3 u.
inline constexpr double kReductionError = 8 * kUnitDouble;

/// Error of the angle from inv_freq itself, rounded to double from long double: u relative to it,
/// and 2^-64 (x + 2) for the long double, x = -ln inv_freq, which inv_freq = e^-x keeps below
/// u/100. It is the same error wherever the same spectrum is used, and cancels in all identities.
inline double frequency_error_rad(std::int64_t position) {
    return 1.01 * std::abs(static_cast<double>(position)) * kUnitDouble;
}

/// Error of a rotation matrix in the 2-norm: both numbers of a block are off by at most e, which
/// makes sqrt(2) e.
inline double matrix_error(const Precision& precision) {
    return kSqrt2Up * (precision.table_error() + kReductionError);
}

/// Distance of a computed rotation from the nearest exact rotation by some angle near the right
/// one, relative to |x|: sqrt(2) times the table's error, and for x cos - y sin two products and a
/// sum, that is 2 unit (|x cos| + |y sin|) <= 2 unit |(x, y)| in each of the pair's two channels.
inline double rigidity_error(const Precision& precision) {
    return kSqrt2Up * (precision.table_error() + 2 * precision.unit);
}

/// Error of a rotated vector relative to |x|: rigidity_error() and the error of the angle.
inline double rotation_error(const Precision& precision) {
    return rigidity_error(precision) + kSqrt2Up * kReductionError;
}

/// Error of a dot product of `terms` products in double relative to |a| |b|.
inline double dot_error(Index terms) {
    return to_double(terms) * kUnitDouble;
}

}  // namespace ropescope
