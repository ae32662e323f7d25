#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "app/plot/draw_figure.h"
#include "app/plot/end_names.h"
#include "tests/support/recording_painter.h"

namespace ropescope::plot {
namespace {

using test::overlap;
using test::RecordingPainter;
using test::within;

constexpr Rect kAreas[] = {{0, 0, 200, 150},   {13, 7, 640, 400}, {0, 0, 1600, 1000},
                           {0, 0, 7680, 4320}, {0, 0, 90, 900},   {0, 0, 1500, 60}};
const Theme* const kThemes[] = {&dark_theme(), &light_theme(), &projector_theme()};

/// Eight square planes above a wide panel with axes.
Figure grid_figure() {
    Figure figure{.view = "test",
                  .title = "A title that says what the picture means, at some length",
                  .subtitle = "what is drawn",
                  .legend = {{"q at m"}, {"k at n"}},
                  .row_weights = {1, 1, 0.5}};
    for (int i = 0; i < 8; ++i) {
        Panel panel{.id = "pair", .title = "pair 8", .equal_aspect = true};
        panel.corners = {.top_right = "λ 19.9", .bottom_left = "θ 0.3", .bottom_right = "−2.2"};
        panel.x = {.min = -1.2, .max = 1.2, .visible = false};
        panel.y = panel.x;
        panel.row = i / 4;
        panel.column = i % 4;
        figure.panels.push_back(panel);
    }
    Panel wide{.id = "score", .title = "score"};
    wide.x = {.label = "distance", .min = -64, .max = 64, .integers = true};
    wide.y = {.label = "score", .min = 0, .max = 1};
    wide.row = 2;
    wide.column_span = 4;
    figure.panels.push_back(wide);
    return figure;
}

template <typename Visit>
void for_each_layout(const Figure& figure, Visit visit) {
    for (const Theme* theme : kThemes) {
        for (const Rect area : kAreas) {
            for (const double scale : {1.0, 2.0}) {
                RecordingPainter painter;
                SCOPED_TRACE(testing::Message() << theme->name << " " << area.width << "x"
                                                << area.height << " at " << scale);
                visit(place_panels(figure, area, *theme, scale, painter), area, *theme, scale);
            }
        }
    }
}

TEST(PlacePanels, PanelsNeverOverlapAndStayInside) {
    const Figure figure = grid_figure();
    for_each_layout(
        figure, [&](const std::vector<PlacedPanel>& placed, Rect area, const Theme&, double) {
            ASSERT_EQ(placed.size(), figure.panels.size());
            for (std::size_t i = 0; i < placed.size(); ++i) {
                EXPECT_EQ(placed[i].panel, &figure.panels[i]);
                EXPECT_TRUE(within(placed[i].frame, area)) << i;
                EXPECT_TRUE(within(placed[i].plot, placed[i].frame)) << i;
                EXPECT_GE(placed[i].plot.width, 1);
                EXPECT_GE(placed[i].plot.height, 1);
                for (std::size_t j = 0; j < i; ++j) {
                    EXPECT_FALSE(overlap(placed[i].frame, placed[j].frame)) << i << " and " << j;
                }
            }
        });
}

TEST(PlacePanels, PixelsAndDataAreInverse) {
    Figure figure = grid_figure();
    figure.panels.back().y = {.min = 1e-3, .max = 1e5, .scale = AxisScale::log10};
    for_each_layout(figure, [](const std::vector<PlacedPanel>& placed, Rect, const Theme&, double) {
        for (const PlacedPanel& panel : placed) {
            for (const double share : {0.0, 0.3, 1.0, 1.4}) {
                const Pixel pixel{panel.plot.x + share * panel.plot.width,
                                  panel.plot.y + share * panel.plot.height};
                const Pixel back = panel.to_pixel(panel.to_data(pixel));
                EXPECT_NEAR(back.x, pixel.x, 1e-6);
                EXPECT_NEAR(back.y, pixel.y, 1e-6);
            }
        }
    });
}

TEST(PlacePanels, EqualAspectIsEqualAndShowsTheWholeRange) {
    for_each_layout(grid_figure(),
                    [](const std::vector<PlacedPanel>& placed, Rect, const Theme&, double) {
                        for (const PlacedPanel& panel : placed) {
                            if (!panel.panel->equal_aspect) {
                                continue;
                            }
                            const Pixel origin = panel.to_pixel({0, 0});
                            const Pixel corner = panel.to_pixel({1, 1});
                            EXPECT_NEAR(corner.x - origin.x, origin.y - corner.y, 1e-9);
                            EXPECT_LE(panel.x.min, -1.2 + 1e-12);
                            EXPECT_GE(panel.y.max, 1.2 - 1e-12);
                        }
                    });
}

TEST(PlacePanels, PlotsOfOneColumnBeginTogether) {
    Figure figure;
    for (int row = 0; row < 2; ++row) {
        Panel panel;
        panel.row = row;
        panel.y = {.min = 0, .max = row == 0 ? 1 : 1e6};
        figure.panels.push_back(panel);
    }
    RecordingPainter painter;
    const auto placed = place_panels(figure, {0, 0, 800, 600}, light_theme(), 1, painter);
    EXPECT_EQ(placed[0].plot.x, placed[1].plot.x);
    EXPECT_EQ(placed[0].plot.width, placed[1].plot.width);
}

TEST(PlacePanels, ReversedAxesRunDown) {
    Figure figure;
    figure.panels.push_back({.id = "table", .y = {.min = 256, .max = 0}});
    RecordingPainter painter;
    const auto placed = place_panels(figure, {0, 0, 800, 600}, light_theme(), 1, painter);
    EXPECT_NEAR(placed[0].to_pixel({0, 0}).y, placed[0].plot.y, 1e-9);
}

TEST(PanelAt, FindsThePanelUnderTheCursor) {
    const Figure figure = grid_figure();
    RecordingPainter painter;
    const auto placed = place_panels(figure, {0, 0, 1000, 800}, light_theme(), 1, painter);
    for (const PlacedPanel& panel : placed) {
        EXPECT_EQ(panel_at(placed, {panel.frame.x + 3, panel.frame.y + 3}), &panel);
    }
    EXPECT_EQ(panel_at(placed, {-5, 20}), nullptr);
    EXPECT_EQ(panel_at({}, {0, 0}), nullptr);
}

TEST(Spread, KeepsLabelsApartAndInOrder) {
    const std::vector<double> wishes = {-50, 10, 11, 12, 13, 80, 95, 200};
    const std::vector<double> tops = spread(wishes, 10, 0, 120);
    ASSERT_EQ(tops.size(), wishes.size());
    for (std::size_t i = 0; i < tops.size(); ++i) {
        EXPECT_GE(tops[i], -1e-9);
        EXPECT_LE(tops[i] + 10, 120 + 1e-9);
        if (i > 0) {
            EXPECT_GE(tops[i] - tops[i - 1], 10 - 1e-9) << i;
        }
    }
    EXPECT_EQ(spread(std::vector<double>{5, 40}, 10, 0, 120), (std::vector<double>{5, 40}))
        << "labels that do not touch stay where they want to be";
    EXPECT_EQ(spread(std::vector<double>{50, 50}, 10, 0, 120), (std::vector<double>{45, 55}));
}

}  // namespace
}  // namespace ropescope::plot
