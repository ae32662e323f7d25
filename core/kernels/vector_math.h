// exp and erf in fp32 without branches or calls, so that a loop over them becomes vector code in
// functions marked ROPESCOPE_MULTIVERSION.
#pragma once

#include <bit>
#include <cstdint>

namespace ropescope {

/// e^x for x <= 88, within 2^-22 of the exact value, relative; 0 below -87.7 (where the result
/// would be subnormal), also for -infinity.
[[gnu::always_inline]] inline float exp_f32(float x) {
    constexpr float kLog2E = 1.44269504F;
    // ln 2 in two parts; the first has so few bits that its products with n are exact.
    constexpr float kLn2High = 0.693359375F;
    constexpr float kLn2Low = -2.12194440e-4F;
    constexpr float kLowest = -88.0F;  // n is -127 there
    // Adding 1.5 2^23 rounds to an integer and leaves it in the low bits; 127 is the exponent's
    // bias.
    constexpr float kRound = 0x1.8p23F + 127.0F;
    const float clamped = x < kLowest ? kLowest : x;
    const float shifted = clamped * kLog2E + kRound;
    const float n = shifted - kRound;
    const float r = (clamped - n * kLn2High) - n * kLn2Low;  // |r| <= h = ln 2 / 2
    // Taylor's series to r^7, with the last term replaced by the nearest polynomial of lower degree
    // (we subtract a multiple of Chebyshev's T_7). With r^8/8! the error is 2e-8.
    constexpr float kFifth = 8.37503932e-3F;  // 1/5! + (7/4) h^2 / 7!
    constexpr float kThird = 1.66664162e-1F;  // 1/3! - (7/8) h^4 / 7!
    float sum = 1.0F / 720.0F;
    sum = sum * r + kFifth;
    sum = sum * r + 1.0F / 24.0F;
    sum = sum * r + kThird;
    sum = sum * r + 0.5F;
    sum = sum * r + 1.0F;
    sum = sum * r + 1.0F;
    // n + 127 is in the low bits of `shifted`; in the place of the exponent it means 2^n, or 0 for
    // n = -127.
    return sum * std::bit_cast<float>(std::bit_cast<std::uint32_t>(shifted) << 23U);
}

/// erf(x), within 5e-7 absolute: Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26
/// (1.5e-7), and the rounding of its evaluation in fp32.
[[gnu::always_inline]] inline float erf_f32(float x) {
    const float a = x < 0.0F ? -x : x;
    const float t = 1.0F / (1.0F + 0.3275911F * a);
    float sum = 1.061405429F;
    sum = sum * t - 1.453152027F;
    sum = sum * t + 1.421413741F;
    sum = sum * t - 0.284496736F;
    sum = sum * t + 0.254829592F;
    const float magnitude = 1.0F - sum * t * exp_f32(-a * a);
    return x < 0.0F ? -magnitude : magnitude;
}

}  // namespace ropescope
