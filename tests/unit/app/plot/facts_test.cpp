// Named texts below each other, in panels that have room for all of them and for some.
#include "app/plot/facts.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

#include "app/plot/draw_figure.h"
#include "tests/support/recording_painter.h"

namespace ropescope::plot {
namespace {

Figure four_facts() {
    Figure figure{.view = "test"};
    Panel panel{.id = "facts", .x = {.visible = false}, .y = {.visible = false}};
    panel.marks = {Facts{{{"one", "1"}, {"two", "2"}, {"three", "3"}, {"four", "4"}}}};
    figure.panels.push_back(std::move(panel));
    return figure;
}

std::vector<std::string> texts(const Figure& figure, Rect area) {
    test::RecordingPainter painter;
    draw_figure(figure, area, light_theme(), 1, painter);
    std::vector<std::string> found;
    std::ranges::transform(painter.texts, std::back_inserter(found),
                           &test::RecordingPainter::Text::text);
    return found;
}

TEST(Facts, SayHowManyHaveNoRoom) {
    const Figure figure = four_facts();
    const Rect roomy{0, 0, 500, 300}, low{0, 0, 500, 84};
    const std::vector<std::string> all = texts(figure, roomy), some = texts(figure, low);
    EXPECT_EQ(std::ranges::count(all, "four"), 1);
    EXPECT_EQ(std::ranges::count(some, "one"), 1);
    EXPECT_EQ(std::ranges::count(some, "four"), 0);
    int shown = 0;
    for (const char* name : {"one", "two", "three", "four"}) {
        shown += static_cast<int>(std::ranges::count(some, name));
    }
    const std::string more = std::to_string(4 - shown) + " more row" + (shown == 3 ? "" : "s");
    EXPECT_EQ(std::ranges::count(some, more), 1) << more;
    test::RecordingPainter painter;
    EXPECT_TRUE(left_out(figure, roomy, light_theme(), 1, painter).empty());
    EXPECT_EQ(left_out(figure, low, light_theme(), 1, painter),
              std::vector<std::string>{more + " of facts"});
}

}  // namespace
}  // namespace ropescope::plot
