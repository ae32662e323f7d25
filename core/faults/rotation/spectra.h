// What unscaled spectra are made of, and what people write in its place.
#pragma once

#include <span>

namespace ropescope::faults {

/// Bases that published models use, and round numbers, the more usual first.
std::span<const double> usual_bases();

/// The frequency of pair i is base^-((2 i + first) / denominator).
struct Exponents {
    double first = 0.0, denominator = 1.0;

    double of(double pair) const { return (2.0 * pair + first) / denominator; }
};

/// Those of 2 i / rotary_dim with a mistake: (2 i + 1) / d, 2 (i + 1) / d, 2 i / (d - 2), 2 i / 2 d
/// and -2 i / d.
constexpr Exponents exponents_from_half(double rotary_dim) {
    return {1.0, rotary_dim};
}
constexpr Exponents exponents_from_one(double rotary_dim) {
    return {2.0, rotary_dim};
}
constexpr Exponents exponents_to_one(double rotary_dim) {
    return {0.0, rotary_dim - 2.0};
}
constexpr Exponents exponents_without_two(double rotary_dim) {
    return {0.0, 2.0 * rotary_dim};
}
constexpr Exponents exponents_of_other_sign(double rotary_dim) {
    return {0.0, -rotary_dim};
}

}  // namespace ropescope::faults
