// One type for counts, indices and positions, and names for the conversions that C++ leaves to
// casts.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace ropescope {

/// A count, an index (of a pair, a channel, a row, a cell) or a position. It is signed, so that
/// differences and loops that count down need no care. `std::ssize(values)` gives one.
using Index = std::int64_t;

/// A count or a position as a number to compute with; exact up to 2^53.
constexpr double to_double(Index n) {
    return static_cast<double>(n);
}

/// The same number in a narrower type. Throws std::out_of_range if it does not fit: the caller has
/// broken a limit that should have been checked where the number came in.
template <std::integral To, std::integral From>
constexpr To narrow(From value) {
    if (!std::in_range<To>(value)) {
        throw std::out_of_range("narrow: a number does not fit into its type");
    }
    return static_cast<To>(value);
}

/// The fp32 number nearest to `x`, where the rounding is meant.
constexpr float to_float(double x) {
    return static_cast<float>(x);
}

/// The whole number nearest to `x`; `x` must be finite and below 2^63 in magnitude.
inline Index round_to_index(double x) {
    return std::llround(x);
}

/// The largest whole number that is not above `x`; the same limits.
inline Index floor_to_index(double x) {
    return static_cast<Index>(std::floor(x));
}

}  // namespace ropescope
