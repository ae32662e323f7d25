#include <algorithm>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "core/base/index.h"
#include "core/base/number_format.h"

namespace ropescope {
namespace {

/// Magnitudes of all finite values by their bits, from the definition (-1)^s 2^e (1 + f / 2^n); the
/// last entry, for infinity, is where the next value would be: rounding towards it is overflow.
std::vector<double> magnitudes(int exponent_bits, int fraction_bits) {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const int fractions = 1 << fraction_bits;
    std::vector<double> values;
    for (int exponent = 0; exponent < (1 << exponent_bits) - 1; ++exponent) {
        for (int fraction = 0; fraction < fractions; ++fraction) {
            const double leading = exponent == 0 ? 0 : 1;
            values.push_back(std::ldexp(leading + static_cast<double>(fraction) / fractions,
                                        std::max(exponent, 1) - bias));
        }
    }
    values.push_back(std::ldexp(1.0, bias + 1));
    return values;
}

struct Format {
    const char* name;
    int exponent_bits;
    int fraction_bits;
    float (*widen)(std::uint16_t);
    std::uint16_t (*from_f32)(float);
    std::uint16_t (*from_f64)(double);
};
void PrintTo(const Format& format, std::ostream* out) {
    *out << format.name;
}

class Float16 : public testing::TestWithParam<Format> {};

TEST_P(Float16, EveryFiniteValueWidensExactly) {
    const std::vector<double> values =
        magnitudes(GetParam().exponent_bits, GetParam().fraction_bits);
    for (std::size_t bits = 0; bits + 1 < values.size(); ++bits) {
        const auto positive = static_cast<std::uint16_t>(bits);
        const auto negative = static_cast<std::uint16_t>(bits | 0x8000U);
        ASSERT_EQ(GetParam().widen(positive), values[bits]) << bits;
        ASSERT_EQ(GetParam().widen(negative), -values[bits]) << bits;
        ASSERT_TRUE(std::signbit(GetParam().widen(negative))) << bits;
    }
}

TEST_P(Float16, All65536ValuesComeBack) {
    for (unsigned bits = 0; bits < 65536; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        const float wide = GetParam().widen(half);
        ASSERT_EQ(GetParam().from_f32(wide), half);
        if (!std::isnan(wide)) {  // widening a NaN to double may quieten it
            ASSERT_EQ(GetParam().from_f64(wide), half);
        }
    }
}

// Half-way points are exact in fp32 (one bit more than the format), so both conversions must take
// the even neighbour there, and the nearer one a single ulp beside it.
TEST_P(Float16, HalfwayPointsGoToEvenAndTheirNeighboursToTheNearest) {
    const std::vector<double> values =
        magnitudes(GetParam().exponent_bits, GetParam().fraction_bits);
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    constexpr float kInfinityF = std::numeric_limits<float>::infinity();
    for (std::size_t lower = 0; lower + 1 < values.size(); ++lower) {
        const double middle = (values[lower] + values[lower + 1]) / 2;
        const auto below = static_cast<std::uint16_t>(lower);
        const auto above = static_cast<std::uint16_t>(lower + 1);
        const std::uint16_t even = lower % 2 == 0 ? below : above;
        ASSERT_EQ(GetParam().from_f64(middle), even) << middle;
        ASSERT_EQ(GetParam().from_f64(-middle), even | 0x8000U) << middle;
        ASSERT_EQ(GetParam().from_f64(std::nextafter(middle, 0.0)), below) << middle;
        ASSERT_EQ(GetParam().from_f64(std::nextafter(middle, kInfinity)), above) << middle;
        const auto middle_f = to_float(middle);
        ASSERT_EQ(middle_f, middle);
        ASSERT_EQ(GetParam().from_f32(middle_f), even) << middle;
        ASSERT_EQ(GetParam().from_f32(-middle_f), even | 0x8000U) << middle;
        ASSERT_EQ(GetParam().from_f32(std::nextafter(middle_f, 0.0F)), below) << middle;
        ASSERT_EQ(GetParam().from_f32(std::nextafter(middle_f, kInfinityF)), above) << middle;
    }
}

TEST_P(Float16, ANanStaysANanOfTheSameSign) {
    // The payload of these lies below the bits that are kept.
    const float low_payload = std::bit_cast<float>(0x7F800001U);
    const double low_payload_64 = std::bit_cast<double>(0x7FF0000000000001ULL);
    EXPECT_TRUE(std::isnan(GetParam().widen(GetParam().from_f32(low_payload))));
    EXPECT_TRUE(std::isnan(GetParam().widen(GetParam().from_f64(low_payload_64))));
    const float negative = std::bit_cast<float>(0xFFC00000U);
    EXPECT_TRUE(std::signbit(GetParam().widen(GetParam().from_f32(negative))));
}

TEST_P(Float16, FromDoubleRoundsOnce) {
    // Just above the half-way point between 1 and the next value; fp32 in between would round it
    // onto that point, and then to even, down to 1.
    const double value = 1 + std::ldexp(1.0, -GetParam().fraction_bits - 1) + std::ldexp(1.0, -40);
    const std::uint16_t one = GetParam().from_f64(1.0);
    EXPECT_EQ(GetParam().from_f64(value), one + 1);
    EXPECT_EQ(GetParam().from_f32(to_float(value)), one);
}

INSTANTIATE_TEST_SUITE_P(
    Formats, Float16,
    testing::Values(Format{"fp16", 5, 10, f32_from_f16, f16_from_f32, f16_from_f64},
                    Format{"bf16", 8, 7, f32_from_bf16, bf16_from_f32, bf16_from_f64}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(Float16Values, KnownBits) {
    EXPECT_EQ(f16_from_f64(1.0), 0x3C00);
    EXPECT_EQ(f16_from_f64(-2.0), 0xC000);
    EXPECT_EQ(f16_from_f64(65504.0), 0x7BFF);
    EXPECT_EQ(f16_from_f64(65520.0), 0x7C00);
    EXPECT_EQ(f16_from_f64(0x1p-24), 0x0001);
    EXPECT_EQ(f16_from_f64(5e-324), 0x0000);
    EXPECT_EQ(f16_from_f64(-0.0), 0x8000);
    EXPECT_EQ(bf16_from_f64(1.0), 0x3F80);
    EXPECT_EQ(bf16_from_f64(0.1), 0x3DCD);
    EXPECT_EQ(bf16_from_f64(1e39), 0x7F80);
    EXPECT_EQ(bf16_from_f32(0x1p-133F), 0x0001);
}

}  // namespace
}  // namespace ropescope
