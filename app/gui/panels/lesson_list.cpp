// Draws the list of lessons, and the offer of the first one.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "app/gui/panels/lessons.h"
#include "app/gui/panels/sheets.h"
#include "app/gui/state/actions.h"
#include "app/gui/toolkit/widgets.h"

namespace ropescope::gui {
namespace {

constexpr double kLessonRow = 50, kLessonListWidth = 760, kLessonListTitle = 52;

/// "finished", "step 3 of 6", or nothing.
std::string state_words(const LessonRun& run, const lessons::Lesson& lesson) {
    const std::size_t done = run.done_of(lesson);
    return run.finished(lesson) ? "finished"
           : done > 0           ? fmt::format("{} of {} steps", done, lesson.steps.size())
                                : "";
}

/// Returns the area's id.
std::uint32_t draw_row(Ui& ui, plot::Rect row, const lessons::Lesson& lesson) {
    const Touch touch = ui.touch("lesson " + lesson.id, row);
    if (touch.hovered) {
        ui.fill(row, plot::Role::raised, 6);
    }
    if (touch.focused) {
        focus_ring(
            ui, {row.x + ui.px(4), row.y + ui.px(4), row.width - ui.px(8), row.height - ui.px(8)});
    }
    const double number = ui.px(36), state = ui.px(130);
    const double width = row.width - number - state - ui.px(24);
    const double half = row.height / 2;
    ui.text({row.x + ui.px(12), row.y, number, row.height}, std::to_string(lesson.order),
            ui.mono(plot::Role::dim, ui.theme.body_px));
    ui.text({row.x + number, row.y + ui.px(4), width, half - ui.px(4)}, lesson.title,
            ui.body(plot::Role::text));
    ui.text({row.x + number, row.y + half, width, half - ui.px(4)}, lesson.about,
            ui.caption(plot::Role::dim));
    ui.text({row.x + row.width - state - ui.px(12), row.y, state, row.height},
            state_words(ui.state().lessons, lesson), ui.caption(plot::Role::dim), 1);
    if (touch.clicked) {
        close_overlay(ui.state());
        open_lesson(ui.state(), lesson.id);
    }
    return touch.id;
}

}  // namespace

void draw_lessons_overlay(Ui& ui) {
    AppState& state = ui.state();
    const std::vector<lessons::Lesson>& all = lessons::all_lessons();
    const plot::Rect sheet =
        centred(ui, ui.px(kLessonListWidth),
                ui.px(kLessonRow) * static_cast<double>(all.size()) + ui.px(kLessonListTitle + 16));
    draw_sheet(ui, sheet);
    ui.text({sheet.x + ui.px(kSheetPad), sheet.y + ui.px(16), sheet.width, ui.px(24)}, "Lessons",
            ui.style(plot::Role::text, ui.theme.body_px, plot::Face::bold));
    const plot::Rect list{sheet.x + ui.px(8), sheet.y + ui.px(kLessonListTitle),
                          sheet.width - ui.px(16), sheet.height - ui.px(kLessonListTitle + 8)};
    const bool just_opened = std::exchange(state.lessons.list_just_opened, false);
    const lessons::Lesson& next = lesson_to_go_on_with(state.lessons);
    const Surface surface(ui, "lesson list", list, Surface::Kind::child);
    // The scroll bar has the right edge.
    plot::Rect row{surface.origin().x, surface.origin().y, list.width - ui.px(10),
                   ui.px(kLessonRow)};
    for (const lessons::Lesson& lesson : all) {
        const std::uint32_t id = draw_row(ui, row, lesson);
        if (just_opened && &lesson == &next) {
            state.focus.go_to(id);
        }
        row.y += row.height;
    }
    surface.content_height(row.y - surface.origin().y);
    if (const int by = ui.take({GLFW_KEY_DOWN}) ? 1 : ui.take({GLFW_KEY_UP}) ? -1 : 0; by != 0) {
        state.focus.move(by);
    }
}

void draw_lesson_offer(Ui& ui) {
    LessonRun& run = ui.state().lessons;
    if (!run.offered || run.open()) {
        return;
    }
    const plot::Rect& figure = ui.regions.figure;
    const lessons::Lesson& first = lessons::all_lessons().front();
    const double width = std::min(figure.width - ui.px(32), ui.px(400)), height = ui.px(92);
    const plot::Rect box{figure.x + figure.width - width - ui.px(16),
                         figure.y + figure.height - height - ui.px(16), width, height};
    // A window of its own, so that a click on it is not one on the figure.
    const Surface surface(ui, "lesson offer", box, Surface::Kind::child);
    ui.fill(box, plot::Role::raised, 8);
    ui.stroke(box, plot::Role::accent, ui.theme.selected_px, 8);
    ui.text({box.x + ui.px(16), box.y + ui.px(12), box.width - ui.px(32), ui.px(24)},
            "New here? Begin with \"" + first.title + "\".", ui.body(plot::Role::text));
    const double y = box.y + ui.px(50), tall = ui.px(30);
    if (button(ui, "begin lessons", {box.x + ui.px(16), y, ui.px(150), tall}, "Begin lesson one",
               {.selected = true, .text = plot::Role::text})) {
        open_lesson(ui.state(), first.id);
    } else if (button(ui, "not now", {box.x + ui.px(176), y, ui.px(90), tall}, "Not now",
                      {.text = plot::Role::text})) {
        run.offered = false;
    }
    surface.content_height(1);
}

}  // namespace ropescope::gui
