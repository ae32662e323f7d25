// Two tables side by side.
#include "core/diff/table_diff.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/rope/layout.h"
#include "tests/support/input_error.h"

namespace ropescope::diff {
namespace {

using diagnosis::RopeTable;
using diagnosis::TableForm;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr Index kTableRows = 40, kTablePairs = 8;

/// cos and sin of base 10000, computed in double or in fp32, and rounded to a format.
RopeTable table(Dtype dtype = Dtype::f32, bool in_float = false) {
    RopeTable made{.name = "cos and sin",
                   .format = diagnosis::format_of(dtype),
                   .rows = kTableRows,
                   .pairs = kTablePairs};
    for (Index row = 0; row < kTableRows; ++row) {
        const double position = to_double(row * 100);
        made.positions.push_back(position);
        for (Index pair = 0; pair < kTablePairs; ++pair) {
            const double exponent = to_double(pair) / to_double(kTablePairs);
            const double angle =
                in_float ? double{to_float(position) / std::pow(1e4F, to_float(exponent))}
                         : position * std::pow(1e4, -exponent);
            made.cos.push_back(diagnosis::round_to(dtype, std::cos(angle)));
            made.sin.push_back(diagnosis::round_to(dtype, std::sin(angle)));
        }
    }
    return made;
}

TEST(TableDiff, RightCodesOfOtherArithmeticAreEqual) {
    for (const Dtype a : {Dtype::f64, Dtype::f32, Dtype::f16, Dtype::bf16}) {
        for (const Dtype b : {Dtype::f64, Dtype::f32, Dtype::f16, Dtype::bf16}) {
            const auto found = compare_tables({table(a)}, {table(b, true)});
            EXPECT_EQ(found[0].sameness, Sameness::equal)
                << to_string(a) << to_string(b) << found[0].first->allowed;
        }
    }
}

TEST(TableDiff, OnePlaceIsFoundWhereverItIs) {
    const RopeTable right = table();
    RopeTable wrong = right;
    for (Index row = 0; row < kTableRows; ++row) {
        for (Index pair = 0; pair < kTablePairs; ++pair) {
            double& number = wrong.sin[row * kTablePairs + pair];
            number += 0.02;
            const auto found = compare_tables({right}, {wrong});
            number -= 0.02;
            number = right.sin[row * kTablePairs + pair];
            ASSERT_EQ(found[0].sameness, Sameness::different) << row << " " << pair;
            EXPECT_EQ(found[0].different, 1);
            EXPECT_EQ(found[0].first->row, row);
            EXPECT_EQ(found[0].first->pair, pair);
            EXPECT_EQ(found[0].first->of, "sin");
        }
    }
    EXPECT_EQ(report_of(compare_tables({right}, {wrong}), "a", "b").verdict, Sameness::equal);
}

TEST(TableDiff, FrequenciesAreComparedPairByPair) {
    RopeTable a{.name = "inv_freq",
                .form = TableForm::frequencies,
                .format = diagnosis::format_of(Dtype::f32),
                .pairs = 4,
                .values = {1.0, 0.1, 0.01, 0.001}};
    RopeTable b = a;
    b.values[3] *= 1.0 + 0x1p-20;
    EXPECT_EQ(compare_tables({a}, {b})[0].sameness, Sameness::equal);
    b.values[2] *= 1.001;
    const DiffReport report = report_of(compare_tables({a}, {b}), "a", "b");
    EXPECT_EQ(report.verdict, Sameness::different);
    EXPECT_THAT(report.summary, HasSubstr("inv_freq: first at pair 2, frequency"));
    EXPECT_THAT(test::input_error([&] { compare_tables({a}, {table()}); }),
                HasSubstr("one holds frequencies and the other one cos_sin"));
}

TEST(TableDiff, WidthAndOrderAreSaid) {
    RopeTable a = table(), b = table();
    a.layout = Layout::half_split;
    b.layout = Layout::interleaved;
    const DiffReport report = report_of(compare_tables({a}, {b}), "a", "b");
    EXPECT_EQ(report.verdict, Sameness::equivalent);
    EXPECT_THAT(report.summary, HasSubstr("written for half-split and for interleaved pairs"));
    b.layout.reset();
    EXPECT_EQ(compare_tables({a}, {b})[0].sameness, Sameness::equal);
    b.rows = 30;
    EXPECT_THAT(compare_tables({a}, {b})[0].remark, HasSubstr("of which 30 are compared"));
}

}  // namespace
}  // namespace ropescope::diff
