// Figures as small as the column of a paper: every line keeps its name.
#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <string>

#include "app/figures/view.h"
#include "app/plot/draw_figure.h"
#include "app/plot/look.h"
#include "app/plot/picture_layout.h"
#include "app/plot/render_figure.h"
#include "core/engine/engine.h"
#include "tests/support/recording_painter.h"

namespace ropescope::figures {
namespace {

/// The names of the panel's lines and points, and of the legend that belongs to it.
std::set<std::string> names_of(const plot::Figure& figure) {
    std::set<std::string> names;
    for (const plot::LegendEntry& entry : figure.legend) {
        names.insert(entry.label);
    }
    for (const plot::Mark& mark : figure.panels.front().marks) {
        if (const auto* line = std::get_if<plot::Line>(&mark); line && !line->label.empty()) {
            names.insert(line->label);
        }
    }
    return names;
}

TEST(SmallFigures, KeepTheNamesOfAllLinesInAColumnOfAPaper) {
    const plot::PictureSize size = plot::parse_picture_size("size", "84x60mm");
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    int named = 0;
    for (const View& view : views()) {
        if (view.shows_check_run) {
            continue;  // a run has no lines
        }
        Scene scene;
        scene.view = view.id;
        plot::Figure figure = make_figure(scene, *engine);
        figure.data = {};  // its copies would take longer than all drawing
        figure.report = {};
        for (const plot::Panel& panel : figure.panels) {
            const plot::Figure alone = plot::as_seen(figure, {.panel = panel.id});
            for (const bool title : {true, false}) {
                test::RecordingPainter painter;
                const plot::DrawnFigure drawn =
                    plot::draw_figure(alone, {0, 0, size.width, size.height}, plot::light_theme(),
                                      0.75, painter, {.title = title});
                for (const std::string& name : names_of(alone)) {
                    ++named;
                    EXPECT_TRUE(std::ranges::any_of(
                        drawn.names,
                        [&](const plot::NamePlace& place) { return place.name == name; }))
                        << name << " in " << panel.id << " of " << view.id;
                }
            }
        }
    }
    EXPECT_GT(named, 60);
}

/// A whole figure in a column of a paper: what is drawn has its names and its title, what has no
/// room for them is left out whole and said to be.
TEST(SmallFigures, KeepTheirNamesAndLeaveOutPanelsThatHaveNoRoom) {
    const plot::PictureSize size = plot::parse_picture_size("size", "84x60mm");
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    int left_out = 0;
    for (const View& view : views()) {
        if (view.shows_check_run) {
            continue;
        }
        Scene scene;
        scene.view = view.id;
        plot::Figure figure = make_figure(scene, *engine);
        figure.data = {};
        figure.report = {};
        const plot::ExportOptions small{.width_px = size.width, .height_px = size.height};
        test::RecordingPainter painter;
        for (const std::string& part : plot::left_out_of_picture(figure, small, painter)) {
            left_out += part.starts_with(plot::kPanelLeftOut) ? 1 : 0;
            EXPECT_NE(part, "the legend") << view.id;
            EXPECT_FALSE(part.starts_with("the names of lines") ||
                         part.starts_with("the title of "))
                << view.id << ": " << part;
        }
        plot::ExportOptions usual;
        for (const std::string& part : plot::left_out_of_picture(figure, usual, painter)) {
            EXPECT_FALSE(part.starts_with(plot::kPanelLeftOut)) << view.id << ": " << part;
        }
    }
    EXPECT_GT(left_out, 3);
}

}  // namespace
}  // namespace ropescope::figures
