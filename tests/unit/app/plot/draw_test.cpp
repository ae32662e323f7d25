#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <tuple>

#include "app/plot/draw_figure.h"
#include "tests/support/recording_painter.h"
#include "tests/support/special_values.h"
#include "tests/support/wild_marks.h"

namespace ropescope::plot {
namespace {

using test::kInf;
using test::kNan;

using test::overlap;
using test::RecordingPainter;
using test::wild_marks;
using test::within;

Line straight(double last, const char* label) {
    return {.points = {{0, 0}, {1, last}}, .label = label};
}

Figure one_panel(std::vector<Mark> marks, Axis x = {}, Axis y = {}) {
    Figure figure{.view = "test", .title = "title", .subtitle = "subtitle"};
    figure.panels.push_back({.id = "panel", .x = x, .y = y, .marks = std::move(marks)});
    return figure;
}

RecordingPainter drawn_figure(const Figure& figure, Rect area = {0, 0, 800, 500}) {
    RecordingPainter painter;
    draw_figure(figure, area, light_theme(), 1, painter);
    return painter;
}

TEST(DrawFigure, SurvivesWildFiguresAtEverySize) {
    for (const AxisScale scale : {AxisScale::linear, AxisScale::log10}) {
        for (const double low : {0.0, kNan, 1.0, -kInf}) {
            Figure figure = one_panel(wild_marks(), {.min = low, .max = 1, .scale = scale},
                                      {.min = low, .max = 1, .scale = scale});
            figure.panels[0].color_bar = true;
            figure.panels.push_back(figure.panels[0]);
            figure.panels[1].row = 1;
            figure.panels[1].column_span = -7;
            figure.panels[1].equal_aspect = true;
            figure.row_weights = {kNan, -1};
            for (const Rect area : {Rect{0, 0, 800, 500}, Rect{0, 0, 200, 150}, Rect{0, 0, 1, 1},
                                    Rect{0, 0, 0, 0}, Rect{5, 5, 9000, 20}}) {
                const RecordingPainter painter = drawn_figure(figure, area);
                EXPECT_TRUE(painter.finite) << area.width << "x" << area.height;
                EXPECT_EQ(painter.clip_depth, 0);
                // A little more than the area, never the data's 1e300.
                EXPECT_LT(painter.largest_polyline, 2 * (area.width + area.height) + 1000);
                EXPECT_TRUE(area.height < 100 || !painter.polylines.empty()) << "nothing is drawn";
            }
        }
    }
}

TEST(DrawFigure, SurvivesWildGrids) {
    for (const int wild : {-1, 0, 5, 1000000000, -1000000000}) {
        Figure figure = one_panel({straight(1, "line")});
        figure.panels.push_back(figure.panels[0]);
        figure.panels[1].row = figure.panels[1].column = wild;
        figure.panels[1].row_span = figure.panels[1].column_span = wild;
        figure.row_weights = {kNan, -1, 0, kInf};
        EXPECT_TRUE(drawn_figure(figure).finite) << wild;
    }
}

TEST(DrawFigure, SurvivesEmptyFigures) {
    EXPECT_TRUE(drawn_figure({}).texts.empty());
    EXPECT_EQ(drawn_figure(one_panel({})).clip_depth, 0);
}

TEST(DrawFigure, DrawsTitleSubtitleAndLegend) {
    Figure figure = one_panel({});
    figure.legend = {{"q at m", Role::query, LegendEntry::Kind::arrow},
                     {"k at n", Role::key, LegendEntry::Kind::line, Dash::dashed}};
    const RecordingPainter painter = drawn_figure(figure);
    ASSERT_NE(painter.find("title"), nullptr);
    EXPECT_EQ(painter.find("title")->style.face, Face::bold);
    ASSERT_NE(painter.find("k at n"), nullptr);
    EXPECT_EQ(painter.find("k at n")->place.y, painter.find("subtitle")->place.y)
        << "the legend stands at the subtitle's right";
    RecordingPainter bare;
    draw_figure(figure, {0, 0, 800, 500}, light_theme(), 1, bare,
                {.title = false, .legend = LegendPlace::none});
    EXPECT_EQ(bare.find("title"), nullptr);
    EXPECT_EQ(bare.find("q at m"), nullptr);
}

TEST(DrawFigure, NamesLinesAtTheirEndsWithoutCollision) {
    std::vector<Mark> marks;
    const std::vector<std::string> names = {"one", "two", "three", "four", "five"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        marks.emplace_back(straight(0.5 + 0.001 * static_cast<double>(i), names[i].c_str()));
    }
    marks.emplace_back(straight(40, "leaves the plot early"));
    marks.emplace_back(straight(1.1, "leaves it late"));
    const Figure figure = one_panel(marks);
    RecordingPainter painter = drawn_figure(figure);
    const auto placed = place_panels(figure, {0, 0, 800, 500}, light_theme(), 1, painter);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto* name = painter.find(names[i]);
        ASSERT_NE(name, nullptr) << names[i];
        EXPECT_TRUE(within(name->place, placed[0].frame));
        EXPECT_GE(name->place.x, placed[0].plot.x + placed[0].plot.width);
        for (std::size_t j = 0; j < i; ++j) {
            EXPECT_FALSE(overlap(name->place, painter.find(names[j])->place));
        }
    }
    const auto* late = painter.find("leaves it late");
    ASSERT_NE(late, nullptr);
    for (const std::string& name : names) {
        EXPECT_FALSE(overlap(late->place, painter.find(name)->place)) << name;
    }
    ASSERT_NE(painter.find("leaves the plot early"), nullptr);
    EXPECT_LT(painter.find("leaves the plot early")->place.x,
              placed[0].plot.x + placed[0].plot.width / 2);
}

TEST(DrawFigure, NamesAreNotRepeatedFromTheLegend) {
    Figure figure = one_panel({straight(0.5, "cos"), straight(0.6, "cos"), straight(0.7, "sin")});
    figure.legend = {{"sin", Role::sin_part}};
    const RecordingPainter painter = drawn_figure(figure);
    for (const char* name : {"cos", "sin"}) {
        EXPECT_EQ(std::count_if(painter.texts.begin(), painter.texts.end(),
                                [&](const auto& text) { return text.text == name; }),
                  1)
            << name;
    }
}

TEST(DrawFigure, WordsOfRulesBandsAndLabelsDoNotCollide) {
    std::vector<Mark> marks;
    for (int i = 0; i < 4; ++i) {
        marks.emplace_back(Rule{.at = 0.5 + 0.01 * i, .label = "rule " + std::to_string(i)});
    }
    marks.emplace_back(Band{.first = 0.5, .last = 0.9, .label = "band"});
    const RecordingPainter painter = drawn_figure(one_panel(marks));
    std::vector<const RecordingPainter::Text*> words;
    for (const char* text : {"rule 0", "rule 1", "rule 2", "rule 3", "band"}) {
        words.push_back(painter.find(text));
        ASSERT_NE(words.back(), nullptr) << text;
        for (std::size_t j = 0; j + 1 < words.size(); ++j) {
            EXPECT_FALSE(overlap(words.back()->place, words[j]->place)) << text << " and " << j;
        }
    }
}

void expect_no_overlap(const RecordingPainter& painter, double width) {
    for (std::size_t i = 0; i < painter.texts.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            // Raised exponents reach a little out of their line.
            Rect a = painter.texts[i].place;
            a.y += 0.1 * a.height;
            a.height *= 0.8;
            EXPECT_FALSE(overlap(a, painter.texts[j].place))
                << width << ": '" << painter.texts[i].text << "' on '" << painter.texts[j].text
                << "'";
        }
    }
}

TEST(DrawFigure, CrowdedPointsStayApart) {
    const Figure figure =
        one_panel({Points{.points = {{10, 10}}, .radius_px = 5, .most_radius = 0.4}}, {.max = 20},
                  {.max = 20});
    EXPECT_EQ(drawn_figure(figure).radii, std::vector<double>{5}) << "there is room";
    const Rect small{0, 0, 300, 150};
    RecordingPainter metrics;
    const PlacedPanel placed = place_panels(figure, small, light_theme(), 1, metrics).front();
    const double row = placed.to_pixel({0, 0}).y - placed.to_pixel({0, 1}).y;
    ASSERT_LT(row, 12.5);
    EXPECT_NEAR(drawn_figure(figure, small).radii.at(0), 0.4 * row, 1e-9);
}

TEST(DrawFigure, AWordThatMayMoveLeavesTheLineFree) {
    constexpr double kLine = 0.52;
    const auto crosses = [](bool may_move) {
        const Figure figure =
            one_panel({Line{.points = {{0, kLine}, {1, kLine}}},
                       Label{.at = {0.5, 0.5}, .text = "a word", .may_move = may_move}});
        const RecordingPainter painter = drawn_figure(figure);
        const Rect place = painter.find("a word")->place;
        RecordingPainter metrics;
        const double y = place_panels(figure, {0, 0, 800, 500}, light_theme(), 1, metrics)
                             .front()
                             .to_pixel({0, kLine})
                             .y;
        return place.y < y && y < place.y + place.height;
    };
    EXPECT_TRUE(crosses(false));
    EXPECT_FALSE(crosses(true));
}

TEST(DrawFigure, TickLabelsDoNotOverlap) {
    for (const double width : {200.0, 320.0, 500.0, 900.0, 2000.0}) {
        std::vector<Axis> axes = {
            // All of 1, 2, 5 want a label here, and they are long.
            {.label = "axis", .min = 1.5e-4, .max = 6e-3, .scale = AxisScale::log10},
            {.label = "axis", .min = 1e-9, .max = 1, .scale = AxisScale::log10}};
        for (const double largest : {1.0, 1e3, 123456.0, 1e8, 1e-7}) {
            axes.push_back({.label = "axis", .min = -largest, .max = largest});
        }
        for (const Axis& axis : axes) {
            expect_no_overlap(drawn_figure(one_panel({}, axis, axis), {0, 0, width, width * 0.7}),
                              width);
        }
    }
}

TEST(DrawFigure, ThinsLongLines) {
    Line line;
    for (int i = 0; i < 500000; ++i) {
        line.points.push_back({i / 500000.0, 0.5 + 0.4 * std::sin(i * 0.1)});
    }
    const RecordingPainter painter = drawn_figure(one_panel({line}));
    std::size_t points = 0;
    for (const auto& polyline : painter.polylines) {
        points += polyline.size();
    }
    EXPECT_LE(points, 4U * 800U);
    EXPECT_GE(points, 1000U);
}

HeatMap ramp(std::int64_t columns, std::int64_t rows) {
    HeatMap map{.columns = columns, .rows = rows};
    for (std::int64_t i = 0; i < columns * rows; ++i) {
        map.values.push_back(static_cast<float>(i) / static_cast<float>(columns * rows - 1));
    }
    map.dx = 1.0 / static_cast<double>(columns);
    map.dy = 1.0 / static_cast<double>(rows);
    return map;
}

TEST(HeatMap, KeepsCellsThatCanBeSeen) {
    const Figure figure = one_panel({ramp(3, 2)});
    const RecordingPainter painter = drawn_figure(figure);
    ASSERT_EQ(painter.images.size(), 1U);
    const auto& image = painter.images[0];
    EXPECT_EQ(image.width, 3);
    EXPECT_EQ(image.height, 2);
    // Row 0 lies at y = 0: at the bottom.
    EXPECT_EQ(image.pixels[3], sample(ColorMap::viridis, 0));
    EXPECT_EQ(image.pixels[2], sample(ColorMap::viridis, 1));
    RecordingPainter metrics;
    const auto placed = place_panels(figure, {0, 0, 800, 500}, light_theme(), 1, metrics);
    EXPECT_NEAR(image.place.x, placed[0].plot.x, 1e-9);
    EXPECT_NEAR(image.place.height, placed[0].plot.height, 1e-9);
}

TEST(HeatMap, TurnsWithReversedAxes) {
    const RecordingPainter painter =
        drawn_figure(one_panel({ramp(3, 2)}, {}, {.min = 1, .max = 0}));
    EXPECT_EQ(painter.images[0].pixels[0], sample(ColorMap::viridis, 0));
}

TEST(HeatMap, AveragesCellsTooSmallToSee) {
    HeatMap map = ramp(20000, 2);
    for (std::size_t i = 0; i < map.values.size(); ++i) {
        map.values[i] = i % 2 == 0 ? 1.0F : 0.0F;  // a pattern that sampling would turn into moire
    }
    const RecordingPainter painter = drawn_figure(one_panel({map}));
    const auto& image = painter.images.at(0);
    EXPECT_LT(image.width, 800);
    EXPECT_EQ(image.height, 2);
    for (const Color& pixel : image.pixels) {
        // About 26 cells a pixel: an odd one more or less moves the mean by 1/50.
        EXPECT_NEAR(pixel.g, sample(ColorMap::viridis, 0.5).g, 8);
    }
}

TEST(HeatMap, HasAColorBarWithTicks) {
    HeatMap map = ramp(4, 4);
    map.label = "cos";
    Figure figure = one_panel({map});
    figure.panels[0].color_bar = true;
    const RecordingPainter painter = drawn_figure(figure);
    ASSERT_EQ(painter.images.size(), 2U);
    EXPECT_EQ(painter.images[1].pixels.front(), sample(ColorMap::viridis, 1)) << "maximum on top";
    EXPECT_NE(painter.find("cos"), nullptr);
}

TEST(DrawFigure, WordsAlongAnAxisHaveOneSizeAndAllHaveRoom) {
    std::vector<Mark> words;
    double at = 0;
    for (const char* word : {"a", "who", "understands", "wood", "people"}) {
        words.emplace_back(Label{.at = {at += 1, 0.5},
                                 .text = word,
                                 .anchor_x = 0.5,
                                 .width = 0.96,
                                 .whole = true,
                                 .smallest = 0.5});
    }
    const Axis x{.min = 0, .max = 6, .visible = false}, y{.min = 0, .max = 1, .visible = false};
    const RecordingPainter painter = drawn_figure(one_panel(words, x, y), {0, 0, 480, 300});
    std::vector<double> sizes;
    for (const RecordingPainter::Text& text : painter.texts) {
        if (text.text != "title" && text.text != "subtitle") {
            sizes.push_back(text.style.size_px);
        }
    }
    ASSERT_EQ(sizes.size(), 5U);
    EXPECT_LT(sizes.front(), light_theme().small_px) << "the longest is written smaller";
    EXPECT_EQ(std::ranges::count(sizes, sizes.front()), 5);
}

/// One word without room makes all of its axis brief; a word that has no brief form stays.
TEST(DrawFigure, WordsAlongAnAxisAreBriefTogether) {
    const auto drawn = [](double width) {
        std::vector<Mark> words;
        for (const auto& [at, word, brief] :
             {std::tuple{1.0, "one", "1"}, {2.0, "a hundred thousand", "1e5"}, {3.0, "two", ""}}) {
            words.emplace_back(Label{.at = {at, 0.5},
                                     .text = word,
                                     .brief = brief,
                                     .anchor_x = 0.5,
                                     .width = 0.96,
                                     .whole = true,
                                     .smallest = 0.5});
        }
        const Axis x{.min = 0, .max = 4, .visible = false}, y{.min = 0, .max = 1, .visible = false};
        return drawn_figure(one_panel(words, x, y), {0, 0, width, 300});
    };
    const RecordingPainter wide = drawn(900), narrow = drawn(350);
    for (const char* whole : {"one", "a hundred thousand", "two"}) {
        EXPECT_NE(wide.find(whole), nullptr) << whole;
    }
    for (const char* brief : {"1", "1e5", "two"}) {
        EXPECT_NE(narrow.find(brief), nullptr) << brief;
    }
    EXPECT_EQ(narrow.find("one"), nullptr);
}

TEST(DrawFigure, AnAxisLabelIsWrittenSmallerBeforeItIsCut) {
    const std::string label = "distance of the key from the query in tokens";
    const Axis x{.label = label, .min = 0, .max = 1};
    const auto drawn = [&](double width) {
        return drawn_figure(one_panel({}, x, {.min = 0, .max = 1}), {0, 0, width, 300});
    };
    const RecordingPainter wide = drawn(900);
    ASSERT_NE(wide.find(label), nullptr);
    const RecordingPainter::Text* whole = wide.find(label);
    const RecordingPainter narrow = drawn(0.95 * whole->place.width + 40);
    ASSERT_NE(narrow.find(label), nullptr) << "a little less than its width";
    EXPECT_LT(narrow.find(label)->style.size_px, whole->style.size_px);
    EXPECT_EQ(drawn(0.5 * whole->place.width + 40).find(label), nullptr);
}

/// In a low plot the names of lines stand, and remarks at rules and bands would lie on them.
TEST(DrawFigure, ALowPlotHasTheNamesOfItsLinesAndNoRemarks) {
    std::vector<Mark> marks = {Band{.first = 0, .last = 0.4, .label = "a band"},
                               Rule{.vertical = false, .at = 0.5, .label = "a rule"},
                               Line{.points = {{0, 0.4}, {1, 0.6}}, .label = "a line"}};
    const Axis axis{.min = 0, .max = 1};
    const RecordingPainter high = drawn_figure(one_panel(marks, axis, axis), {0, 0, 480, 400});
    const RecordingPainter low = drawn_figure(one_panel(marks, axis, axis), {0, 0, 480, 84});
    for (const char* word : {"a band", "a rule", "a line"}) {
        EXPECT_NE(high.find(word), nullptr) << word;
    }
    EXPECT_NE(low.find("a line"), nullptr);
    EXPECT_EQ(low.find("a band"), nullptr);
    EXPECT_EQ(low.find("a rule"), nullptr);
    expect_no_overlap(low, 480);
}

}  // namespace
}  // namespace ropescope::plot
