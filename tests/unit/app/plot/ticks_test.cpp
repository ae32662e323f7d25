#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <string>

#include "app/plot/axis.h"
#include "app/plot/number_text.h"
#include "tests/support/special_values.h"

namespace ropescope::plot {
namespace {

using test::kInf;
using test::kNan;

std::vector<std::string> labels(const Axis& axis, int most) {
    std::vector<std::string> texts;
    for (const Tick& tick : make_ticks(axis, most)) {
        texts.push_back(tick.label);
    }
    return texts;
}

std::string describe(const Axis& axis) {
    return "axis " + std::to_string(axis.min) + " .. " + std::to_string(axis.max) +
           (axis.scale == AxisScale::log10 ? " log" : "") + (axis.integers ? " integers" : "");
}

void expect_sane(const Axis& axis, int most) {
    SCOPED_TRACE(describe(axis));
    const Axis range = drawable(axis);
    const double low = std::min(range.min, range.max);
    const double high = std::max(range.min, range.max);
    ASSERT_TRUE(std::isfinite(low) && std::isfinite(high));
    ASSERT_LT(low, high);
    const std::vector<Tick> ticks = make_ticks(axis, most);
    std::set<std::string> seen;
    int majors = 0;
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        EXPECT_GE(ticks[i].value, low);
        EXPECT_LE(ticks[i].value, high);
        if (i > 0) {
            EXPECT_GT(ticks[i].value, ticks[i - 1].value);
        }
        EXPECT_TRUE(seen.insert(ticks[i].label).second) << "twice: " << ticks[i].label;
        EXPECT_FALSE(ticks[i].label.empty());
        if (axis.integers) {
            EXPECT_EQ(ticks[i].value, std::round(ticks[i].value));
        }
        majors += ticks[i].major ? 1 : 0;
    }
    // "About": a step of 1, 2 or 5 can give one tick more at both ends; fewer than three log ticks
    // are replaced by linear ones.
    EXPECT_LE(majors, std::max(most, 3) + 2);
    if (!axis.integers) {
        EXPECT_GE(ticks.size(), 1U);
    }
}

TEST(Ticks, AreSaneOverAllRanges) {
    for (const AxisScale scale : {AxisScale::linear, AxisScale::log10}) {
        for (const bool integers : {false, true}) {
            if (integers && scale == AxisScale::log10) {
                continue;
            }
            for (int exponent = -300; exponent <= 300; exponent += 7) {
                const double size = std::pow(10, exponent);
                for (const double low : {0.0, -1.0, -0.37, 0.999, 1.0, 1e-3, 0.1234567}) {
                    for (const int most : {1, 2, 5, 12}) {
                        expect_sane(
                            {.min = low * size, .max = size, .scale = scale, .integers = integers},
                            most);
                        expect_sane(
                            {.min = size, .max = low * size, .scale = scale, .integers = integers},
                            most);
                    }
                }
            }
        }
    }
}

TEST(Ticks, AreSaneOnNarrowRangesFarFromZero) {
    for (const double at : {1.0, 1e-200, 131072.0, -1e9, 1e15, 1e300}) {
        for (double width = 1; width > 1e-18; width /= 10) {
            expect_sane({.min = at, .max = at + std::abs(at) * width}, 6);
        }
    }
}

TEST(Ticks, AreSaneOnDegenerateRanges) {
    for (const double low : {0.0, 1.0, -5.0, kNan, kInf, -kInf, 1e308, -1e308, 5e-324, 1e-300}) {
        for (const double high : {0.0, 1.0, -5.0, kNan, kInf, -kInf, 1e308, 5e-324, 1e-300}) {
            for (const AxisScale scale : {AxisScale::linear, AxisScale::log10}) {
                expect_sane({.min = low, .max = high, .scale = scale}, 6);
            }
        }
    }
}

TEST(Ticks, AreRoundNumbers) {
    EXPECT_EQ(labels({.min = 0, .max = 1}, 5),
              (std::vector<std::string>{"0", "0.2", "0.4", "0.6", "0.8", "1"}));
    EXPECT_EQ(labels({.min = -0.1, .max = 1.1}, 3), (std::vector<std::string>{"0", "0.5", "1"}));
    EXPECT_EQ(labels({.min = -1, .max = 1}, 2), (std::vector<std::string>{"−1", "0", "1"}));
    // 0.1 + 0.2 is not 0.3, a tick at three tenths is.
    EXPECT_EQ(make_ticks({.min = 0, .max = 0.5}, 5)[3].value, 0.3);
}

TEST(Ticks, HalveBinaryRangesOfWholeNumbers) {
    EXPECT_EQ(labels({.min = -64, .max = 64, .integers = true, .signs = true}, 4),
              (std::vector<std::string>{"−64", "−32", "0", "+32", "+64"}));
    EXPECT_EQ(labels({.min = -0.5, .max = 63.5, .integers = true}, 4),
              (std::vector<std::string>{"0", "16", "32", "48"}));
    EXPECT_EQ(labels({.min = 1000, .max = 1255, .integers = true}, 4),
              (std::vector<std::string>{"1\u2009000", "1\u2009100", "1\u2009200"}));
    EXPECT_EQ(labels({.min = 0, .max = 10, .integers = true}, 30).size(), 11U);
    EXPECT_EQ(labels({.min = 0, .max = 12, .integers = true}, 3),
              (std::vector<std::string>{"0", "5", "10"}));
}

TEST(Ticks, OfLogAxesOfWholeNumbersArePowersOfTwo) {
    const Axis lengths = {.min = 114, .max = 1147, .scale = AxisScale::log10, .integers = true};
    EXPECT_EQ(labels(lengths, 6), (std::vector<std::string>{"128", "256", "512", "1\u2009024"}));
    EXPECT_EQ(labels(lengths, 2), (std::vector<std::string>{"128", "512"}));
    EXPECT_EQ(labels({.min = 130, .max = 250, .scale = AxisScale::log10, .integers = true}, 2),
              labels({.min = 130, .max = 250, .scale = AxisScale::log10}, 2))
        << "without a power of two as any other axis";
}

TEST(Ticks, OfLogAxesAreDecadesWithMinors) {
    const std::vector<Tick> ticks =
        make_ticks({.min = 6.28, .max = 54000, .scale = AxisScale::log10}, 6);
    std::vector<std::string> majors;
    for (const Tick& tick : ticks) {
        if (tick.major) {
            majors.push_back(tick.label);
        }
    }
    EXPECT_EQ(majors, (std::vector<std::string>{"10", "100", "1\u2009000", "10\u2009000"}));
    EXPECT_EQ(ticks.size(), 4U + 8U) << "2 and 5 of each decade up to 50 000";
    EXPECT_EQ(labels({.min = 1e-9, .max = 1, .scale = AxisScale::log10}, 4),
              (std::vector<std::string>{"10^{-9}", "10^{-6}", "10^{-3}", "10^{0}"}));
    EXPECT_EQ(labels({.min = 3.9, .max = 90000, .scale = AxisScale::log10}, 2),
              (std::vector<std::string>{"100", "10\u2009000"}))
        << "few ticks are decades all the same";
    EXPECT_EQ(labels({.min = 30, .max = 45, .scale = AxisScale::log10}, 4),
              (std::vector<std::string>{"30", "35", "40", "45"}));
}

TEST(Axis, GoesToUnitsAndBack) {
    for (const AxisScale scale : {AxisScale::linear, AxisScale::log10}) {
        for (const bool reversed : {false, true}) {
            const double low = 3;
            const double high = 7000;
            const Axis axis = drawable(
                {.min = reversed ? high : low, .max = reversed ? low : high, .scale = scale});
            EXPECT_EQ(to_unit(axis, axis.min), 0);
            EXPECT_EQ(to_unit(axis, axis.max), 1);
            for (double value = low; value <= high; value *= 1.7) {
                // A few roundings of numbers up to 7000: 1e-12 of that.
                EXPECT_NEAR(from_unit(axis, to_unit(axis, value)), value, 7e-9);
            }
        }
    }
    EXPECT_TRUE(std::isnan(to_unit({.min = 1, .max = 10, .scale = AxisScale::log10}, 0)));
}

TEST(NumberText, IsShortAndKeepsTheIntegerPart) {
    EXPECT_EQ(number_text(1e9), "1\u2009000\u2009000\u2009000");
    EXPECT_EQ(number_text(0), "0");
    EXPECT_EQ(number_text(-0.0), "0");
    EXPECT_EQ(number_text(10000), "10\u2009000");
    EXPECT_EQ(number_text(1048575), "1\u2009048\u2009575");
    EXPECT_EQ(number_text(0.31622776), "0.3162");
    EXPECT_EQ(number_text(19.8692), "19.87");
    EXPECT_EQ(number_text(6283.185), "6\u2009283");
    EXPECT_EQ(number_text(0.1), "0.1");
    EXPECT_EQ(number_text(6.3e-8), "6.3×10⁻⁸");
    EXPECT_EQ(number_text(-1e-5), "−10⁻⁵") << "without a factor of one";
    EXPECT_EQ(number_text(2.5e15), "2.5×10¹⁵");
    EXPECT_EQ(few_digits_text(2.44e-7, 2), "2.4×10⁻⁷");
    EXPECT_EQ(few_digits_text(0.25, 3), "0.25");
    EXPECT_EQ(number_text(-2.2136), "−2.214");
    EXPECT_EQ(number_text(-123456), "−123\u2009456");
    EXPECT_EQ(number_text(0.99999), "1");
    EXPECT_EQ(number_text(2e12), "2\u2009000\u2009000\u2009000\u2009000");
    EXPECT_EQ(number_text(2e15), "2×10¹⁵");
    EXPECT_EQ(exact_number_text(1.0001), "1.0001");
    EXPECT_EQ(exact_number_text(500000), "500\u2009000");
    EXPECT_EQ(exact_number_text(1e-300), "1e-300");
    EXPECT_EQ(number_text(kNan), "nan");
    EXPECT_EQ(number_text(-kInf), "−inf");
}

}  // namespace
}  // namespace ropescope::plot
