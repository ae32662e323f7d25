// Ranges and hidden lines of a figure.
#include "app/plot/look.h"

#include <cmath>
#include <gtest/gtest.h>

#include "tests/support/input_error.h"

namespace ropescope::plot {
namespace {

Figure two_lines() {
    Panel panel{.id = "curve"};
    panel.x = {.label = "x", .min = 1, .max = 1000, .scale = AxisScale::log10};
    panel.y = {.label = "y", .min = -1, .max = 1};
    panel.marks.push_back(Line{.points = {{1, 0}, {1000, 1}}, .role = Role::query, .label = "up"});
    panel.marks.push_back(Line{.points = {{1, 0}, {1000, -1}}, .role = Role::key, .label = "down"});
    panel.marks.push_back(Area{.low = {{1, 0}}, .high = {{1, 1}}, .role = Role::key});
    panel.marks.push_back(Label{.at = {2, 0}, .text = "two"});
    Figure figure{.view = "test"};
    figure.panels.push_back(panel);
    return figure;
}

PlacedPanel placed(const Figure& figure) {
    const Panel& panel = figure.panels[0];
    return {&panel, {0, 0, 320, 220}, {10, 10, 300, 200}, panel.x, panel.y};
}

TEST(Look, ZoomingKeepsThePlaceUnderTheCursorAndZoomingBackIsTheInverse) {
    const Figure figure = two_lines();
    const PlacedPanel whole = placed(figure);
    const Pixel cursor{110, 60};
    const Point there = whole.to_data(cursor);
    const auto range = zoomed(whole, cursor, 0.5, Along::both);
    ASSERT_TRUE(range);
    Figure seen = as_seen(figure, {.ranges = {{"curve", *range}}, .hidden = {}});
    const PlacedPanel closer = placed(seen);
    EXPECT_NEAR(closer.to_data(cursor).x, there.x, 1e-12 * there.x);
    EXPECT_NEAR(closer.to_data(cursor).y, there.y, 1e-12);
    // The logarithmic axis keeps half of its decades.
    EXPECT_NEAR(std::log10(range->x.max / range->x.min), 1.5, 1e-12);
    const auto back = zoomed(closer, cursor, 2, Along::both);
    ASSERT_TRUE(back);
    EXPECT_NEAR(back->x.max, 1000, 1e-9);
    EXPECT_NEAR(back->y.min, -1, 1e-12);
}

TEST(Look, AlongOneAxisTheOtherStays) {
    const Figure figure = two_lines();
    const auto range = zoomed(placed(figure), {110, 60}, 0.5, Along::x);
    ASSERT_TRUE(range);
    EXPECT_EQ(range->y, (AxisRange{-1, 1}));
    EXPECT_LT(range->x.max, 1000);
}

TEST(Look, PanningByTheWidthOfThePlotMovesByTheWholeRange) {
    const Figure figure = two_lines();
    const auto range = panned(placed(figure), {-300, 0});
    ASSERT_TRUE(range);
    EXPECT_NEAR(range->x.min, 1000, 1e-9);
    EXPECT_NEAR(range->x.max, 1e6, 1e-6);
}

TEST(Look, NobodyZoomsBeyondWhatNumbersCanShow) {
    Figure figure = two_lines();
    for (const double factor : {0.1, 10.0}) {
        std::optional<PanelRange> last;
        for (int i = 0; i < 2000; ++i) {
            const auto range = zoomed(placed(figure), {110, 60}, factor, Along::both);
            if (!range) {
                break;
            }
            EXPECT_TRUE(std::isfinite(range->x.min) && std::isfinite(range->x.max));
            EXPECT_LT(range->x.min, range->x.max);
            figure = as_seen(figure, {.ranges = {{"curve", *range}}, .hidden = {}});
            last = range;
            ASSERT_LT(i, 1999) << "zooming ends";
        }
    }
}

TEST(Look, HiddenLinesAreNotDrawnAndTakeTheirBandAlong) {
    const Figure seen = as_seen(two_lines(), {.ranges = {}, .hidden = {"down"}});
    const auto& marks = seen.panels[0].marks;
    EXPECT_EQ(std::get<Line>(marks[0]).opacity, 1);
    EXPECT_EQ(std::get<Line>(marks[1]).opacity, 0);
    EXPECT_EQ(std::get<Line>(marks[1]).label, "down") << "the name stays, to show the line again";
    EXPECT_EQ(std::get<Area>(marks[2]).opacity, 0);
}

TEST(Look, AWordOutsideTheRangeIsLeftOut) {
    const Look look{.ranges = {{"curve", {{10, 100}, {-1, 1}}}}, .hidden = {}};
    EXPECT_EQ(as_seen(two_lines(), look).panels[0].marks.size(), 3U);
}

TEST(Look, ARangeAsTextIsReadAsItIsWritten) {
    Look look;
    const PanelRange range{{-8, 8}, {0.25, 1e6}};
    add_range(look, range_text("score", range));
    EXPECT_EQ(look.ranges.at("score"), range);
}

TEST(Look, AWrongRangeShowsTheForm) {
    for (const char* wrong : {"", "score", "score=1:2", "score=1:2,3", "score=a:b,1:2",
                              "score=1:1,0:1", "score=1:inf,0:1", "score=1:2,3:4,5:6"}) {
        Look look;
        const std::string message = test::input_error([&] { add_range(look, wrong); });
        EXPECT_NE(message.find("PANEL=X0:X1,Y0:Y1"), std::string::npos) << wrong << message;
    }
}

TEST(Look, NamesThatTheFigureLacksAreRefusedWithThoseItHas) {
    Look look{.ranges = {{"other", {}}}, .hidden = {}};
    EXPECT_NE(test::input_error([&] { require_applies(look, two_lines()); }).find("curve"),
              std::string::npos);
    look = {.ranges = {}, .hidden = {"sideways"}};
    EXPECT_NE(test::input_error([&] { require_applies(look, two_lines()); }).find("up, down"),
              std::string::npos);
}

TEST(Look, APanelAloneHasTheRoomOfAll) {
    Figure figure = two_lines();
    Panel other{.id = "other"};
    other.row = 2;
    figure.panels.insert(figure.panels.begin(), other);
    figure.panels[1].row_span = 2;
    figure.row_weights = {1, 1, 3};
    const Figure seen = as_seen(figure, {.panel = "curve"});
    ASSERT_EQ(seen.panels.size(), 1U);
    EXPECT_EQ(seen.panels[0].id, "curve");
    EXPECT_EQ(seen.panels[0].row_span, 1);
    EXPECT_EQ(seen.row_weights, std::vector<double>{1});
    EXPECT_EQ(as_seen(figure, {.panel = "none"}).panels.size(), 2U);
    EXPECT_NE(test::input_error([&] {
                  require_applies({.panel = "none"}, figure);
              }).find("no panel 'none'; it has other, curve"),
              std::string::npos);
}

/// A wide panel above two narrow ones: the last two give their room to what is beside them.
TEST(Look, PanelsFillTheRoomOfOneThatIsLeftOut) {
    Figure figure;
    figure.panels = {{.id = "wide", .column_span = 2},
                     {.id = "left", .row = 1},
                     {.id = "right", .row = 1, .column = 1}};
    figure.row_weights = figure.column_weights = {1, 2};
    const Figure two = without_panel(figure, "right");
    ASSERT_EQ(two.panels.size(), 2U);
    EXPECT_EQ(two.panels[1].id, "left");
    EXPECT_EQ(two.panels[1].column_span, 2);
    EXPECT_EQ(two.panels[0].row_span, 1);
    const Figure one = without_panel(two, "left");
    ASSERT_EQ(one.panels.size(), 1U);
    EXPECT_EQ(one.panels[0].row_span, 2);
    EXPECT_EQ(without_panel(one, "wide").panels.size(), 1U) << "the only one stays";
    EXPECT_EQ(without_panel(figure, "none").panels.size(), 3U);
}

}  // namespace
}  // namespace ropescope::plot
