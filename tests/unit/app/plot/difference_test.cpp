#include "app/plot/difference.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "tests/support/special_values.h"

namespace ropescope::plot {
namespace {

using test::kNan;

Figure figure_of(Mark mark) {
    Figure figure;
    figure.panels = {{.id = "one", .marks = {std::move(mark)}}};
    return figure;
}

double difference(const Mark& a, const Mark& b) {
    return largest_difference(figure_of(a), figure_of(b)).value_or(-1);
}

TEST(LargestDifference, IsOfTheNumbersThatMarksShow) {
    EXPECT_EQ(difference(Line{{{0, 1}, {2, 3}}}, Line{{{0, 1}, {2, 3.5}}}), 0.5);
    EXPECT_EQ(difference(Points{{{0, 1}}}, Points{{{0.25, 1}}}), 0.25);
    EXPECT_EQ(difference(Vector{{0, 0}, {1, 1}}, Vector{{0, 0}, {1, -1}}), 2.0);
    EXPECT_EQ(difference(Area{{{0, 1}}, {{0, 2}}}, Area{{{0, 1}}, {{0, 4}}}), 2.0);
    EXPECT_EQ(difference(HeatMap{.columns = 2, .rows = 1, .values = {1, 2}},
                         HeatMap{.columns = 2, .rows = 1, .values = {1, 2.125F}}),
              0.125);
    EXPECT_EQ(difference(Label{.at = {}, .text = "a"}, Label{.at = {}, .text = "b"}), 0.0);
}

TEST(LargestDifference, OfTheDataToo) {
    Figure a, b;
    a.data.columns = {{"x", std::vector<double>{1, 2}}, {"name", std::vector<std::string>{"a"}}};
    b.data.columns = {{"x", std::vector<double>{1, 5}}, {"name", std::vector<std::string>{"b"}}};
    EXPECT_EQ(largest_difference(a, b), 3.0);
}

TEST(LargestDifference, NanIsOnlyNan) {
    EXPECT_EQ(difference(Line{{{0, kNan}}}, Line{{{0, kNan}}}), 0.0);
    EXPECT_TRUE(std::isinf(difference(Line{{{0, kNan}}}, Line{{{0, 1}}})));
    const double inf = std::numeric_limits<double>::infinity();
    EXPECT_EQ(difference(Line{{{0, inf}}}, Line{{{0, inf}}}), 0.0);
}

TEST(LargestDifference, OtherMarksAreNotCompared) {
    EXPECT_EQ(difference(Line{{{0, 1}}}, Line{{{0, 1}, {1, 1}}}), -1);
    EXPECT_EQ(difference(Line{{{0, 1}}}, Points{{{0, 1}}}), -1);
    EXPECT_FALSE(largest_difference(Figure{}, figure_of(Line{})));
}

}  // namespace
}  // namespace ropescope::plot
