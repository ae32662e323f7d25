// Adds, multiplies and divides sums of two doubles; e^x by its series, the logarithm by Newton's
// step. It needs every operation rounded on its own: without contraction, which core is compiled
// without.
#include "core/base/double_double.h"

#include <array>
#include <cmath>
#include <cstdlib>

namespace ropescope {
namespace {

constexpr DoubleDouble kLogOfTwo = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

/// 1 / 5!, 1 / 4!, ... 1 / 1!, each the nearest double and the nearest double to the rest.
constexpr std::array<DoubleDouble, 5> kInverseFactorials = {{
    {0x1.1111111111111p-7, 0x1.1111111111111p-63},
    {0x1.5555555555555p-5, 0x1.5555555555555p-59},
    {0x1.5555555555555p-3, 0x1.5555555555555p-57},
    {0x1p-1, 0},
    {0x1p+0, 0},
}};

/// The sum and its rounding error, exactly; no order of the two is needed.
DoubleDouble exact_sum(double a, double b) {
    const double sum = a + b, of_b = sum - a;
    return {sum, (a - (sum - of_b)) + (b - of_b)};
}

/// The same where |a| is at least |b|.
DoubleDouble exact_sum_of_ordered(double a, double b) {
    const double sum = a + b;
    return {sum, b - (sum - a)};
}

/// Halves of 26 bits, whose products are exact (Veltkamp).
DoubleDouble halves(double a) {
    constexpr double kSplitter = 0x1p27 + 1;
    const double scaled = kSplitter * a, high = scaled - (scaled - a);
    return {high, a - high};
}

DoubleDouble exact_product(double a, double b) {
    const double product = a * b;
    const DoubleDouble of_a = halves(a), of_b = halves(b);
    return {product,
            ((of_a.high * of_b.high - product) + of_a.high * of_b.low + of_a.low * of_b.high) +
                of_a.low * of_b.low};
}

/// A power of two times the number.
DoubleDouble scaled(DoubleDouble a, int exponent) {
    return {std::ldexp(a.high, exponent), std::ldexp(a.low, exponent)};
}

}  // namespace

DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble high = exact_sum(a.high, b.high), low = exact_sum(a.low, b.low);
    const DoubleDouble sum = exact_sum_of_ordered(high.high, high.low + low.high);
    return exact_sum_of_ordered(sum.high, sum.low + low.low);
}

DoubleDouble operator-(DoubleDouble a) {
    return {-a.high, -a.low};
}

DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble product = exact_product(a.high, b.high);
    return exact_sum_of_ordered(product.high, product.low + (a.high * b.low + a.low * b.high));
}

DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
    // Three digits in base 2^53, each the quotient of what the ones before leave.
    const double first = a.high / b.high;
    DoubleDouble rest = a + -(b * DoubleDouble{first, 0});
    const double second = rest.high / b.high;
    rest = rest + -(b * DoubleDouble{second, 0});
    return exact_sum_of_ordered(first, second) + DoubleDouble{rest.high / b.high, 0};
}

DoubleDouble exp(DoubleDouble x) {
    // e^x = 2^turns (1 + e)^(2^kHalvings) with a rest r below 2^-10, of which nine terms of the
    // series suffice: the tenth is below 2^-120. From the sixth on they are below 2^-59 of the
    // first, so that doubles hold 111 bits of the sum.
    constexpr int kHalvings = 9;
    const double turns = std::nearbyint(x.high / kLogOfTwo.high);
    const DoubleDouble rest = scaled(x + -(kLogOfTwo * DoubleDouble{turns, 0}), -kHalvings);
    const double r = rest.high;
    DoubleDouble above_one = {(1 + r / 7 * (1 + r / 8 * (1 + r / 9))) / 720, 0};
    for (const DoubleDouble& inverse : kInverseFactorials) {
        above_one = above_one * rest + inverse;
    }
    above_one = above_one * rest;
    // (1 + e)^2 - 1 = 2 e + e^2: what is above 1 keeps its own precision.
    for (int i = 0; i < kHalvings; ++i) {
        above_one = scaled(above_one, 1) + above_one * above_one;
    }
    return scaled(above_one + DoubleDouble{1, 0}, static_cast<int>(turns));
}

DoubleDouble log(DoubleDouble x) {
    // The halves of a number as large as this would overflow, those of its reciprocal, too.
    constexpr int kFar = 900;
    if (const int exponent = std::ilogb(x.high); std::abs(exponent) > kFar) {
        return log(scaled(x, -exponent)) +
               kLogOfTwo * DoubleDouble{static_cast<double>(exponent), 0};
    }
    // x e^-y = 1 + e with a small e, so log x = y + e - e^2 / 2 up to e^3.
    const DoubleDouble near = {std::log(x.high), 0};
    const DoubleDouble off = x * exp(-near) + DoubleDouble{-1, 0};
    return near + (off + -scaled(off * off, -1));
}

}  // namespace ropescope
