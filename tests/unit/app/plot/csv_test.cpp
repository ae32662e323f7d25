#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <sstream>

#include "app/plot/figure_file.h"

namespace ropescope::plot {
namespace {

TEST(Csv, QuotesAsRfc4180Asks) {
    const DataTable table{
        {{"plain", std::vector<std::string>{"a", "b c", ""}},
         {"with, comma", std::vector<std::string>{"x,y", "say \"hi\"", "two\nlines"}}}};
    EXPECT_EQ(to_csv(table),
              "plain,\"with, comma\"\n"
              "a,\"x,y\"\n"
              "b c,\"say \"\"hi\"\"\"\n"
              ",\"two\nlines\"\n");
}

TEST(Csv, BringsEveryDoubleBack) {
    std::vector<double> values = {0.1, 1.0 / 3, -2.5e-310, 1e300, 6.283185307179586, 0};
    for (int i = 0; i < 200; ++i) {
        values.push_back(std::nextafter(std::pow(10000, -i / 128.0), 2));
    }
    std::istringstream csv(to_csv({{{"inv_freq_rad", values}}}));
    std::string line;
    ASSERT_TRUE(std::getline(csv, line));
    EXPECT_EQ(line, "inv_freq_rad");
    for (const double value : values) {
        ASSERT_TRUE(std::getline(csv, line));
        EXPECT_EQ(std::strtod(line.c_str(), nullptr), value) << line;
    }
}

TEST(Csv, KeepsWholeNumbersWhole) {
    const std::int64_t big = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(to_csv({{{"position", std::vector<std::int64_t>{0, big}}}}),
              "position\n0\n9223372036854775807\n");
}

TEST(Csv, LeavesCellsWithoutAFiniteNumberEmpty) {
    using Limits = std::numeric_limits<double>;
    EXPECT_EQ(to_csv({{{"a", std::vector<double>{Limits::quiet_NaN(), 1, -Limits::infinity()}},
                       {"b", std::vector<double>{2, Limits::infinity(), 3}}}}),
              "a,b\n,2\n1,\n,3\n");
}

TEST(Csv, SurvivesColumnsOfDifferentLength) {
    EXPECT_EQ(to_csv({{{"a", std::vector<std::int64_t>{1, 2}}, {"b", std::vector<double>{0.5}}}}),
              "a,b\n1,0.5\n2,\n");
    EXPECT_EQ(to_csv({}), "\n");
}

}  // namespace
}  // namespace ropescope::plot
