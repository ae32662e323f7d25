// A presentation, measured: type, what is left out, and how much of the picture the figure has, for
// every view and every step of a lesson at the sizes of projectors.
#include "app/gui/state/hall.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <initializer_list>
#include <memory>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/figures/view.h"
#include "app/gui/state/regions.h"
#include "app/lessons/lesson.h"
#include "app/lessons/main_panels.h"
#include "app/plot/draw_figure.h"
#include "app/plot/rich_text.h"
#include "app/scene/parameters.h"
#include "app/scene/settings.h"
#include "core/engine/engine.h"
#include "tests/support/recording_painter.h"

namespace ropescope::gui {
namespace {

constexpr std::array<plot::Pixel, 4> kProjectors = {
    {{1280, 720}, {1366, 768}, {1920, 1080}, {2560, 1440}}};

/// The least room for panels in an area, by the rules of the layout: what margins, two lines of the
/// title, two of the legend (the names of the encodings take them) and the gaps between three
/// panels side by side leave of it.
double least_room(const plot::Rect& area, const plot::Pen& pen) {
    const double margin =
        std::round(std::min(pen.px(24), 0.04 * std::min(area.width, area.height)));
    const double header = 2 * pen.line_height(pen.title()) + 2 * pen.line_height(pen.caption()) +
                          pen.px(4 + 6 + 12) + 1;
    const double height = area.height - 2 * margin - header;
    return (area.width - 2 * margin - 2 * pen.px(12)) * height;
}

/// Draws the figure, and returns its texts, none of which is cut.
std::vector<test::RecordingPainter::Text> expect_whole_words(const plot::Figure& figure,
                                                             const plot::Rect& area,
                                                             const plot::Theme& theme, double scale,
                                                             const std::string& where) {
    test::RecordingPainter painter;
    plot::draw_figure(figure, area, theme, scale, painter);
    for (const test::RecordingPainter::Text& text : painter.texts) {
        EXPECT_FALSE(text.text.ends_with("…")) << where << ": " << text.text;
    }
    return painter.texts;
}

/// What a figure shows on a projector.
void expect_readable(const plot::Figure& figure, const plot::Theme& theme, plot::Pixel size,
                     bool lesson, const std::string& where) {
    const double scale = hall_scale(size.x, size.y, theme);
    const double unit = scale * theme.body_px / plot::dark_theme().body_px;
    const Regions r = regions(
        size.x, size.y,
        {.unit = unit, .presenting = true, .strip_px = 64 * unit, .hall = true, .lesson = lesson});
    // A lesson has 36 % of the width, and the controls a strip of 64 units.
    EXPECT_GE(r.figure.width, (lesson ? 0.64 : 1) * size.x - 1) << where;
    EXPECT_GE(r.figure.height, size.y - 64 * unit - 1) << where;
    test::RecordingPainter painter;
    const std::vector<plot::PlacedPanel> panels =
        plot::place_panels(figure, r.figure, theme, scale, painter);
    double area = 0;
    for (const plot::PlacedPanel& panel : panels) {
        area += panel.frame.width * panel.frame.height;
    }
    EXPECT_GE(area, least_room(r.figure, {painter, theme, scale})) << where;
    EXPECT_LE(panels.size(), 3U) << where;
    for (const std::string& part : plot::left_out(figure, r.figure, theme, scale, painter)) {
        ADD_FAILURE() << where << " leaves out " << part;
    }
    if (size.x > kProjectors.front().x) {
        return;  // all grows with the window
    }
    const auto texts = expect_whole_words(figure, r.figure, theme, scale, where);
    double smallest = size.y;
    std::string written_so;
    int title_lines = 0;
    for (const test::RecordingPainter::Text& text : texts) {
        if (text.style.size_px < smallest) {
            smallest = text.style.size_px;
            written_so = text.text;
        }
        title_lines += text.style.face == plot::Face::bold && text.place.y < panels.front().frame.y;
    }
    // Exponents are written at seven tenths of their line.
    EXPECT_GE(smallest, 0.022 * 0.69 * size.y) << where << ": " << written_so;
    EXPECT_LE(title_lines, 2) << where;
}

TEST(Hall, IsReadableInEveryView) {
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    for (const figures::View& view : figures::views()) {
        if (view.shows_check_run) {
            continue;  // without a run it has nothing to show
        }
        Scene scene;
        scene.view = view.id;
        const plot::Figure figure =
            lessons::main_figure(figures::make_figure(scene, *engine), nullptr);
        for (const plot::Pixel size : kProjectors) {
            for (const plot::Theme* theme : {&plot::dark_theme(), &plot::projector_theme()}) {
                expect_readable(
                    figure, *theme, size, false,
                    fmt::format("{} at {}x{}, {}", view.id, size.x, size.y, theme->name));
            }
        }
    }
}

/// Before F5, in a window of the projector theme: the letters are those of F5, and no word is cut.
TEST(Hall, AWindowOfTheProjectorThemeHasTheLettersOfAHall) {
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    AppState state;
    state.theme = plot::projector_theme();
    ASSERT_TRUE(has_hall_type(state));
    for (const figures::View& view : figures::views()) {
        if (view.shows_check_run) {
            continue;
        }
        Scene scene;
        scene.view = view.id;
        const plot::Figure figure =
            lessons::main_figure(figures::make_figure(scene, *engine), nullptr);
        for (const plot::Pixel size : {kProjectors[0], kProjectors[3], plot::Pixel{1280, 800}}) {
            state.scale = hall_scale(size.x, size.y, state.theme);
            ASSERT_TRUE(shows_main_panels(state, size));
            const Regions r = regions(size.x, size.y, {.unit = design_unit(state), .hall = true});
            EXPECT_TRUE(r.names_in_navigation);
            expect_whole_words(figure, r.figure, state.theme, state.scale,
                               fmt::format("{} at {}x{}", view.id, size.x, size.y));
        }
    }
}

TEST(Hall, ShowsPlanesIfNoneIsSelected) {
    Scene scene;
    scene.pairs = {0, 4, 8, 12};
    scene.selected_pair = 40;
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    const plot::Figure figure = lessons::main_figure(figures::make_figure(scene, *engine), nullptr);
    ASSERT_EQ(figure.panels.size(), 3U);
    EXPECT_EQ(figure.panels[1].id, "pair.4");
}

/// A lesson in a window of the projector theme, which a teacher has before F5, and in one of a
/// small screen.
void expect_a_lesson_beside(const plot::Theme& theme, std::initializer_list<plot::Pixel> sizes) {
    AppState state;
    state.theme = theme;
    state.lessons.lesson = &lessons::lesson_by_id("one-pair");
    for (const plot::Pixel size : sizes) {
        ASSERT_TRUE(shows_main_panels(state, size)) << theme.name << ' ' << size.x;
        const double unit = design_unit(state);
        const Regions r = regions(
            size.x, size.y,
            {.unit = unit, .strip_px = std::round(64 * unit), .hall = true, .lesson = true});
        EXPECT_TRUE(r.lesson_beside);
        // Bar and status line have 78 units, the strip 64.
        EXPECT_GE(r.figure.height, size.y - (78 + 64) * unit - 1);
        EXPECT_GE(r.figure.height, 0.5 * size.y);
        // The navigation has at most 196 units, the lesson 36 % of the width.
        EXPECT_GE(r.figure.width, 0.64 * size.x - 196 * unit - 1);
        EXPECT_EQ(r.controls.y, r.figure.y + r.figure.height);
        EXPECT_EQ(r.explanation.x, r.figure.x + r.figure.width);
        EXPECT_EQ(r.explanation.x + r.explanation.width, size.x);
        EXPECT_EQ(r.explanation.y + r.explanation.height, r.status.y);
    }
}

TEST(Hall, ALessonInASmallWindowLeavesTheFigureMoreThanHalfOfTheHeight) {
    expect_a_lesson_beside(plot::projector_theme(), {{1280, 720}, {1366, 768}, {1600, 1000}});
    expect_a_lesson_beside(plot::light_theme(), {{1280, 720}, {1366, 768}});
    AppState state;
    EXPECT_FALSE(shows_main_panels(state, {1280, 720}));
    state.lessons.lesson = &lessons::lesson_by_id("one-pair");
    EXPECT_FALSE(shows_main_panels(state, {1600, 1000}));
}

/// A title that speaks of panels below needs them, and so do the names in the legend.
TEST(Hall, ShowsThePanelsOfEachForm) {
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    const auto panels_of = [&](const std::vector<std::string>& settings) {
        const Scene scene = apply_settings(Scene{}, settings);
        const plot::Figure figure =
            lessons::main_figure(figures::make_figure(scene, *engine), nullptr);
        std::string ids;
        for (const plot::Panel& panel : figure.panels) {
            ids += panel.id + " ";
        }
        return ids;
    };
    EXPECT_EQ(panels_of({"view=positions", "positions_compare=transformers_4"}), "right below ");
    EXPECT_EQ(panels_of({"view=positions", "positions_compare=none"}), "right ");
    EXPECT_EQ(panels_of({"view=layouts"}), "matrix outputs ");
    EXPECT_EQ(panels_of({"view=layouts", "layouts_show=walk"}), "walk ");
    EXPECT_EQ(panels_of({"view=context", "context_show=bases"}), "bases facts ");
}

TEST(Hall, TheSliderThatTheViewPlaysComesFirst) {
    AppState state;
    state.scene = apply_settings(Scene{}, {"view=layouts", "layouts_show=walk"});
    ASSERT_FALSE(hall_controls(state).empty());
    EXPECT_EQ(hall_controls(state).front()->name, "walk");
}

TEST(Hall, AControlThatWasLookedForIsAmongThoseOfTheStrip) {
    AppState state;
    state.lessons.lesson = &lessons::lesson_by_id("one-pair");
    state.scene = state.lessons.current().scene;
    const auto has = [&] {
        const std::vector<const Parameter*> shown = hall_controls(state);
        return std::ranges::count(shown, std::string("head_dim"),
                                  [](const Parameter* each) { return each->name; }) == 1;
    };
    EXPECT_FALSE(has());
    state.found_control = "head_dim";
    EXPECT_TRUE(has());
}

/// What decides which panels a step has: its view, the panels that its texts name, and the one at
/// which its task points.
std::string panels_key(const lessons::Step& step) {
    return fmt::format("{} {} {}", step.scene.view, fmt::join(lessons::names_of_panels(step), ","),
                       step.task ? step.task->point_at : "");
}

/// All that a step says, as its file has it.
std::vector<std::string> words_of(const lessons::Step& step) {
    std::vector<std::string> words;
    for (const lessons::Passage& passage : step.text) {
        words.push_back(passage.text);
    }
    if (step.task) {
        words.insert(words.end(), {step.task->text, step.task->hint});
        if (step.task->question) {
            words.push_back(step.task->question->asks.text);
            words.push_back(step.task->question->why.text);
            words.insert(words.end(), step.task->question->choices.begin(),
                         step.task->question->choices.end());
        }
    }
    return words;
}

/// Panels of which the words speak without their names, or by a place that they have in one
/// arrangement of the figure alone: "the lower panel", "the map at the right".
std::string nameless(const std::string& words) {
    const std::string things = "(panels?|curves?|maps?|tables?|plots?|circles?)";
    const std::string places = "(upper|lower|left|right|top|bottom|wide|first|last)(-hand)?";
    const std::array<std::regex, 3> patterns = {
        std::regex(R"(\b(?:([Tt]his|[Tt]hat) )?panels?\b(?! "))"),
        std::regex("\\b" + places + " " + things + "\\b"),
        std::regex("\\b" + things +
                   " (at the (left|right|top|bottom)|on the (left|right)|above|below|beside)\\b"
                   "|\\b(under|below|above|beside) the " +
                   things + "\\b"),
    };
    for (const std::regex& pattern : patterns) {
        for (std::sregex_iterator at(words.begin(), words.end(), pattern), end; at != end; ++at) {
            if (!(&pattern == patterns.data() && (*at)[1].matched)) {
                return at->str();
            }
        }
    }
    return "";
}

TEST(Hall, ALessonNamesPanelsByTheirTitlesAndTheyAreShown) {
    EXPECT_EQ(nameless("The thick line in the lower panel is level."), "panel");
    EXPECT_EQ(nameless("Look at the table under the curves."), "under the curves");
    EXPECT_EQ(nameless("The map at the right is another."), "map at the right");
    EXPECT_EQ(nameless("The upper curve falls."), "upper curve");
    EXPECT_EQ(nameless(R"(See the panel "turns". This panel counts them; the curve falls.)"), "");
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    figures::FigureCache cache;
    const std::regex named(R"re((?:panel|curve|map) "([^"]*)")re");
    int names = 0;
    for (const lessons::Lesson& lesson : lessons::all_lessons()) {
        for (const lessons::Step& step : lesson.steps) {
            const std::string where = lesson.id + ", " + step.title;
            const plot::Figure figure = lessons::main_figure(
                figures::make_figure(step.scene, *engine, {.cache = &cache}), &step);
            for (const std::string& words : words_of(step)) {
                EXPECT_EQ(nameless(words), "") << where << ": " << words;
                for (std::sregex_iterator at(words.begin(), words.end(), named), end; at != end;
                     ++at, ++names) {
                    const std::string name = (*at)[1];
                    EXPECT_TRUE(std::ranges::any_of(
                        figure.panels,
                        [&](const plot::Panel& panel) { return panel.title.starts_with(name); }))
                        << where << " names a panel that is not shown: " << name;
                }
            }
            const std::string pointed = step.task ? step.task->point_at : "";
            EXPECT_TRUE(pointed.empty() ||
                        std::ranges::count(figure.panels, pointed, &plot::Panel::id) == 1)
                << where << " points at " << pointed;
        }
    }
    EXPECT_GT(names, 20);
}

TEST(Hall, IsReadableInEveryStepOfALesson) {
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    figures::FigureCache cache;
    std::set<std::string> seen;
    for (const lessons::Lesson& lesson : lessons::all_lessons()) {
        for (const lessons::Step& step : lesson.steps) {
            if (!seen.insert(panels_key(step)).second) {
                continue;  // a figure of other values has the same panels
            }
            const plot::Figure figure = lessons::main_figure(
                figures::make_figure(step.scene, *engine, {.cache = &cache}), &step);
            for (const plot::Pixel size : kProjectors) {
                expect_readable(
                    figure, plot::projector_theme(), size, true,
                    fmt::format("{}, {} at {}x{}", lesson.id, step.title, size.x, size.y));
            }
        }
    }
}

/// A formula is written in one line, and the column of a lesson beside a figure is narrow.
TEST(Hall, EveryFormulaOfALessonFitsItsColumn) {
    const plot::Theme& theme = plot::projector_theme();
    int formulas = 0;
    for (const plot::Pixel size : kProjectors) {
        const double scale = hall_scale(size.x, size.y, theme);
        const double unit = scale * theme.body_px / plot::dark_theme().body_px;
        const Regions r = regions(size.x, size.y,
                                  {.unit = unit, .presenting = true, .hall = true, .lesson = true});
        const double room = lesson_columns(r.explanation.width, unit, true).text;
        plot::TextStyle style;
        style.size_px = scale * theme.body_px;
        test::RecordingPainter painter;
        for (const lessons::Lesson& lesson : lessons::all_lessons()) {
            for (const lessons::Step& step : lesson.steps) {
                for (const std::string& formula : step.formulas) {
                    EXPECT_LE(plot::rich_text_size(formula, style, painter).x, room)
                        << lesson.id << ", " << step.title << " at " << size.x << ": " << formula;
                    ++formulas;
                }
            }
        }
    }
    EXPECT_GT(formulas, 60);
}

/// Above the text of a step a small window has little room: as many panels as keep their names.
TEST(Hall, AStepInASmallWindowKeepsTheNamesOfItsPanels) {
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    figures::FigureCache cache;
    std::set<std::string> seen;
    Index fewer = 0;
    const Regions r = regions(1280, 720, {.unit = 1, .lesson = true});
    for (const lessons::Lesson& lesson : lessons::all_lessons()) {
        for (const lessons::Step& step : lesson.steps) {
            if (!seen.insert(panels_key(step)).second) {
                continue;
            }
            const plot::Theme& theme = plot::dark_theme();
            test::RecordingPainter painter;
            const plot::Figure whole = figures::make_figure(step.scene, *engine, {.cache = &cache});
            const plot::Figure figure = lessons::fitting_figure(
                whole, &step, {.area = r.figure, .theme = theme, .metrics = painter});
            fewer += figure.panels.size() < whole.panels.size();
            for (const std::string& part : plot::left_out(figure, r.figure, theme, 1, painter)) {
                EXPECT_FALSE(part.starts_with("the title of "))
                    << lesson.id << ", " << step.title << " leaves out " << part;
            }
        }
    }
    EXPECT_GT(fewer, 3);
}

/// A window that is not for a lesson gives up panels for want of their names, not of their numbers.
TEST(Hall, ASmallWindowShowsThePanelsThatKeepTheirNames) {
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    const plot::Figure whole =
        figures::make_figure(apply_settings(Scene{}, {"view=cache"}), *engine);
    const plot::Theme& theme = plot::light_theme();
    const auto shown = [&](double height, bool numbers) {
        test::RecordingPainter painter;
        const plot::Rect area{0, 0, 640, height};
        return lessons::fitting_figure(
                   whole, nullptr,
                   {.area = area, .theme = theme, .metrics = painter, .whole_texts = numbers})
            .panels.size();
    };
    EXPECT_LT(shown(360, false), whole.panels.size());
    EXPECT_EQ(shown(1200, false), whole.panels.size());
    int only_numbers_lack = 0;
    for (double height = 360; height <= 1200; height += 20) {
        EXPECT_GE(shown(height, false), shown(height, true)) << height;
        only_numbers_lack += shown(height, false) > shown(height, true);
    }
    EXPECT_GT(only_numbers_lack, 0);
}

TEST(Hall, EveryTaskCanBeDoneThere) {
    AppState state;
    for (const lessons::Lesson& lesson : lessons::all_lessons()) {
        state.lessons.lesson = &lesson;
        for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
            const lessons::Step& step = lesson.steps[i];
            state.lessons.step = i;
            state.scene = step.scene;
            if (!step.task || step.task->solution.empty()) {
                continue;
            }
            const std::vector<const Parameter*> shown = hall_controls(state);
            const bool moves = std::ranges::any_of(shown, [&](const Parameter* parameter) {
                return std::ranges::any_of(step.task->solution, [&](const std::string& setting) {
                    return setting.starts_with(parameter->name + "=");
                });
            });
            // Another view is opened by its key.
            const bool opens_a_view = step.task->solution.front().starts_with("view=");
            EXPECT_TRUE(moves || opens_a_view) << lesson.id << ", " << step.title;
        }
    }
}

}  // namespace
}  // namespace ropescope::gui
