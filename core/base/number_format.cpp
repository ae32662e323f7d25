// Rounds once from double to each format.
#include "core/base/number_format.h"

#include <bit>

#include "core/base/index.h"

namespace ropescope {

double round_to(NumberFormat format, double value) {
    switch (format) {
        case NumberFormat::exact:
        case NumberFormat::fp64:
            return value;
        case NumberFormat::fp32:
            return to_float(value);
        case NumberFormat::fp16:
            return f32_from_f16(f16_from_f64(value));
        case NumberFormat::bf16:
            break;
    }
    return f32_from_bf16(bf16_from_f64(value));
}

// Converts fp16 and bf16 from and to wider formats, with one rounding.

namespace {

/// A binary interchange format (IEEE 754-2019, section 3.4).
struct Format {
    int exponent_bits;
    int fraction_bits;

    constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
    constexpr std::uint64_t exponent_mask() const { return (1ULL << exponent_bits) - 1; }
    constexpr std::uint64_t fraction_mask() const { return (1ULL << fraction_bits) - 1; }
};

constexpr Format kBinary64{11, 52};
constexpr Format kBinary32{8, 23};
constexpr Format kBinary16{5, 10};
constexpr Format kBfloat16{8, 7};

/// value / 2^shift rounded to an integer, ties to even. shift >= 1.
constexpr std::uint64_t shift_right_to_even(std::uint64_t value, int shift) {
    if (shift > 63) {
        return 0;  // callers' values are below 2^54, so this is less than a half
    }
    const std::uint64_t kept = value >> shift;
    const std::uint64_t lost = value & ((1ULL << shift) - 1);
    const std::uint64_t half = 1ULL << (shift - 1);
    return kept + (lost > half || (lost == half && (kept & 1) != 0) ? 1 : 0);
}

/// The bits of a value in the narrower format `to`. The subnormals of `from` need no case of their
/// own: they have the exponent of the smallest normal and a leading bit of 0.
template <Format from, Format to>
constexpr std::uint16_t narrow(std::uint64_t bits) {
    constexpr int dropped = from.fraction_bits - to.fraction_bits;
    constexpr std::uint64_t infinity = to.exponent_mask() << to.fraction_bits;
    const std::uint64_t sign = (bits >> (from.exponent_bits + from.fraction_bits))
                               << (to.exponent_bits + to.fraction_bits);
    const auto exponent = static_cast<int>((bits >> from.fraction_bits) & from.exponent_mask());
    const std::uint64_t fraction = bits & from.fraction_mask();

    if (exponent == static_cast<int>(from.exponent_mask())) {
        const std::uint64_t payload = fraction >> dropped;
        // A payload that only had lower bits would turn the NaN into an infinity.
        const std::uint64_t kept =
            fraction != 0 && payload == 0 ? 1ULL << (to.fraction_bits - 1) : payload;
        return static_cast<std::uint16_t>(sign | infinity | kept);
    }
    const std::uint64_t leading = exponent == 0 ? 0 : 1ULL << from.fraction_bits;
    const int biased = (exponent == 0 ? 1 : exponent) - from.bias() + to.bias();
    const std::uint64_t significand = leading | fraction;
    if (biased <= 0) {  // subnormal or zero in `to`; rounding up may reach its smallest normal
        return static_cast<std::uint16_t>(sign |
                                          shift_right_to_even(significand, dropped + 1 - biased));
    }
    // The leading bit adds one to the exponent field, and so does a carry out of the fraction.
    const std::uint64_t magnitude = (static_cast<std::uint64_t>(biased - 1) << to.fraction_bits) +
                                    shift_right_to_even(significand, dropped);
    return static_cast<std::uint16_t>(sign | (magnitude < infinity ? magnitude : infinity));
}

}  // namespace

float f32_from_f16(std::uint16_t bits) {
    const std::uint32_t sign = (bits & 0x8000U) << 16;
    const std::uint32_t exponent = (bits >> 10) & 0x1FU;
    const std::uint32_t fraction = bits & 0x3FFU;
    if (exponent == 0) {  // zero or subnormal: fraction * 2^-24, exact in fp32
        const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
        return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
    }
    constexpr std::uint32_t rebias = 127 - 15;
    const std::uint32_t widened = exponent == 0x1F ? 0xFFU : exponent + rebias;
    return std::bit_cast<float>(sign | (widened << 23) | (fraction << 13));
}

float f32_from_bf16(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

std::uint16_t f16_from_f32(float value) {
    return narrow<kBinary32, kBinary16>(std::bit_cast<std::uint32_t>(value));
}
std::uint16_t f16_from_f64(double value) {
    return narrow<kBinary64, kBinary16>(std::bit_cast<std::uint64_t>(value));
}
std::uint16_t bf16_from_f32(float value) {
    return narrow<kBinary32, kBfloat16>(std::bit_cast<std::uint32_t>(value));
}
std::uint16_t bf16_from_f64(double value) {
    return narrow<kBinary64, kBfloat16>(std::bit_cast<std::uint64_t>(value));
}

}  // namespace ropescope
