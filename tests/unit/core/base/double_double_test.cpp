#include "core/base/double_double.h"

#include <cfloat>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace ropescope {
namespace {

// The numbers of the tables: Python's decimal module with 80 digits, as the nearest double and the
// nearest double to the rest.

/// In units of `scale`.
double off(DoubleDouble found, DoubleDouble expected, double scale) {
    const DoubleDouble difference = found + -expected;
    return std::abs(difference.high + difference.low) / std::abs(scale);
}

constexpr double kUnit = 0x1p-90;

/// As frequencies are computed (core/base/wide_math_double.cpp).
DoubleDouble power(DoubleDouble base, DoubleDouble exponent) {
    return exp(exponent * log(base));
}

TEST(DoubleDouble, ExpHasNinetyBits) {
    struct Case {
        double x;
        DoubleDouble expected;
    };
    for (const Case& c : std::vector<Case>{
             {0.0, {0x1p+0, 0x0p+0}},
             {1.0, {0x1.5bf0a8b145769p+1, 0x1.4d57ee2b1013ap-53}},
             {-1.0, {0x1.78b56362cef38p-2, -0x1.ca8a4270fadf5p-57}},
             {0.5, {0x1.a61298e1e069cp+0, -0x1.b4690082a4906p-55}},
             {-9.210340371976184, {0x1.a36e2eb1c4326p-14, 0x1.ea693527805fbp-69}},
             {100.0, {0x1.3494a9b171bf5p+144, -0x1.4cf76bdb3376fp+90}},
             {-300.0, {0x1.245639c3a49f7p-433, 0x1.2f081eb716d99p-487}},
             {1e-09, {0x1.000000044b83p+0, -0x1.7b444af5c26a7p-54}},
             {690.5, {0x1.2234558ba71ecp+996, 0x1.5f138b4a69eb2p+942}},
         }) {
        EXPECT_LE(off(exp({c.x, 0}), c.expected, c.expected.high), kUnit) << c.x;
    }
}

TEST(DoubleDouble, LogHasNinetyBits) {
    struct Case {
        double x;
        DoubleDouble expected;
    };
    for (const Case& c : std::vector<Case>{
             {1.0, {0x0p+0, 0x0p+0}},
             {2.0, {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}},
             {10.0, {0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53}},
             {10000.0, {0x1.26bb1bbb55516p+3, -0x1.f48ad494ea3e9p-51}},
             {500000.0, {0x1.a3ea669a05c01p+3, 0x1.43d1720303e2p-51}},
             {1e-05, {-0x1.7069e2aa2aa5bp+3, 0x1.41ab1374499c7p-52}},
             {0.9999999999, {-0x1.b7ce00005e728p-34, -0x1.4e26c2c41bcddp-88}},
             {3e+300, {0x1.59efe3d35d637p+9, -0x1.14eacb44466ecp-45}},
             {1e-300, {-0x1.5963447f87fb5p+9, -0x1.aa670d35324e6p-46}},
         }) {
        EXPECT_LE(off(log({c.x, 0}), c.expected, 1 + std::abs(c.expected.high)), kUnit) << c.x;
    }
}

TEST(DoubleDouble, PowerIsRightForTheFrequenciesOfEncodings) {
    struct Case {
        double base, numerator, denominator;
        DoubleDouble expected;
    };
    for (const Case& c : std::vector<Case>{
             {10000.0, -2, 128, {0x1.bb5fad00ab22cp-1, 0x1.a1cecee7dcb25p-58}},
             {10000.0, -126, 128, {0x1.e459c57e28a47p-14, -0x1.0c68548856221p-68}},
             {500000.0, -62, 128, {0x1.c7181f3d9f60bp-10, 0x1.ccaa3c3ebc4b9p-65}},
             {1000000.0, -1, 3, {0x1.47ae147ae147bp-7, -0x1.eb851eb851eb8p-63}},
             {10.0, -254, 256, {0x1.a108f22b6edf4p-4, 0x1.2802fe7955b57p-58}},
             {2.0, 1, 2, {0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54}},
             {10000000.0, -100, 102, {0x1.269144f3ea6c2p-23, 0x1.19c5f37b23f76p-77}},
         }) {
        const DoubleDouble exponent = DoubleDouble{c.numerator, 0} / DoubleDouble{c.denominator, 0};
        const double larger = c.expected.high * (1 + std::abs(std::log(c.expected.high)));
        EXPECT_LE(off(power({c.base, 0}, exponent), c.expected, larger), kUnit)
            << c.base << "^(" << c.numerator << "/" << c.denominator << ")";
    }
}

TEST(DoubleDouble, SumsKeepWhatOneDoubleLoses) {
    const DoubleDouble sum = DoubleDouble{1, 0} + DoubleDouble{0x1p-80, 0};
    EXPECT_EQ(sum.high, 1);
    EXPECT_EQ(sum.low, 0x1p-80);
    EXPECT_EQ((sum + -DoubleDouble{1, 0}).high, 0x1p-80);
}

TEST(DoubleDouble, AQuotientTimesItsDivisorIsTheDividend) {
    const DoubleDouble third = DoubleDouble{1, 0} / DoubleDouble{3, 0};
    EXPECT_LE(off(third * DoubleDouble{3, 0}, {1, 0}, 1), 0x1p-104);
}

#if LDBL_MANT_DIG == 64
// What the desktop computes with: both are rounded to long double.
TEST(DoubleDouble, PowerAgreesWithLongDouble) {
    for (const double base : {10000.0, 500000.0, 1e6}) {
        for (int pair = 0; pair < 64; ++pair) {
            const long double exponent = -2.0L * pair / 128;
            const auto high = static_cast<double>(exponent);
            const DoubleDouble found = power(
                {base, 0}, {high, static_cast<double>(exponent - static_cast<long double>(high))});
            const long double joined =
                static_cast<long double>(found.high) + static_cast<long double>(found.low);
            const long double library = std::pow(static_cast<long double>(base), exponent);
            EXPECT_LE(std::abs(joined / library - 1), 0x1p-62L) << base << " " << pair;
        }
    }
}
#endif

}  // namespace
}  // namespace ropescope
