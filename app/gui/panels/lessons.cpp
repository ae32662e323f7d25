// Draws the list of lessons, and the offer of the first one.
#include "app/gui/panels/lessons.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>
#include <utility>
#include <vector>

#include "app/gui/panels/glossed_text.h"
#include "app/gui/panels/sheets.h"
#include "app/gui/state/actions.h"
#include "app/gui/state/hall.h"
#include "app/gui/state/regions.h"
#include "app/gui/toolkit/widgets.h"
#include "app/plot/rich_text.h"

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
    std::vector<std::uint32_t> ids;
    for (const lessons::Lesson& lesson : all) {
        const std::uint32_t id = draw_row(ui, row, lesson);
        ids.push_back(id);
        if (just_opened && &lesson == &next) {
            state.focus.go_to(id);
        }
        row.y += row.height;
    }
    surface.content_height(row.y - surface.origin().y);
    walk_list(ui, ids, static_cast<int>(list.height / row.height) - 1);
}

void draw_lesson_offer(Ui& ui) {
    LessonRun& run = ui.state().lessons;
    constexpr double kSide = 20, kTall = 30, kBegin = 150, kLater = 90, kGap = 10;
    const plot::Rect& area = ui.regions.explanation;
    const lessons::Lesson& first = lessons::all_lessons().front();
    const Surface surface(ui, "lesson offer", area, Surface::Kind::child);
    ui.fill({area.x, area.y, ui.px(4), area.height}, plot::Role::accent);
    const double buttons = ui.px(kBegin + kGap + kLater + kSide);
    const bool beside = area.width > 2 * buttons;  // then the words have half of the width
    plot::Rect line{area.x + ui.px(kSide), area.y + ui.px(12),
                    area.width - ui.px(2 * kSide) - (beside ? buttons : 0), ui.px(24)};
    ui.text(line, "New here? Begin with \"" + first.title + "\".", ui.body(plot::Role::text));
    line.y += ui.px(26);
    ui.text(line, "Space stops and starts the positions, Shift + → steps.",
            ui.caption(plot::Role::dim));
    const double x = beside ? area.x + area.width - buttons : line.x;
    const double y = beside ? area.y + (area.height - ui.px(kTall)) / 2 : line.y + ui.px(30);
    if (button(ui, "begin lessons", {x, y, ui.px(kBegin), ui.px(kTall)}, "Begin lesson one",
               {.selected = true, .text = plot::Role::text})) {
        open_lesson(ui.state(), first.id);
    } else if (button(ui, "not now", {x + ui.px(kBegin + kGap), y, ui.px(kLater), ui.px(kTall)},
                      "Not now", {.text = plot::Role::text})) {
        run.offered = false;
    }
    surface.content_height(1);
}

// Draws the step of the open lesson in place of the explanation: its text, what to do, and the way
// on.

namespace {

constexpr double kLessonTop = 12, kLine = 22;
// In a presentation, which a phone shows too, buttons are larger.
constexpr double kButton = 30, kPresentedButton = 38, kAroundButton = 16;

double button_height(const Ui& ui) {
    return ui.px(ui.state().presenting ? kPresentedButton : kButton);
}

bool for_hall(const Ui& ui) {
    return in_hall(ui.state()) || ui.regions.lesson_beside;
}

/// In a hall the letters are large already, and all of a step is to be seen.
plot::TextStyle lesson_style(const Ui& ui) {
    return for_hall(ui) ? ui.caption(plot::Role::text) : ui.body(plot::Role::text);
}

LessonColumns columns_of(const Ui& ui, double width) {
    return lesson_columns(width, ui.px(1), for_hall(ui));
}

std::string step_place(const LessonRun& run) {
    return fmt::format("step {} of {}", run.step + 1, run.lesson->steps.size());
}

double draw_title(const Ui& ui, plot::Rect where) {
    const LessonRun& run = ui.state().lessons;
    plot::Rect line{where.x, where.y, where.width, ui.px(18)};
    if (for_hall(ui)) {  // the buttons leave no room for it
        line.width -= ui.px(8) + ui.text(line, step_place(run), ui.small(plot::Role::dim), 1);
    }
    ui.text(line, fmt::format("LESSON {}  {}", run.lesson->order, run.lesson->title),
            ui.small(plot::Role::dim));
    const plot::TextStyle title = ui.style(plot::Role::text, ui.theme.body_px, plot::Face::bold);
    if (ui.width(run.text.title, title) <= where.width) {
        ui.text({where.x, where.y + ui.px(20), where.width, ui.px(24)}, run.text.title, title);
        return where.y + ui.px(50);
    }
    return where.y + ui.px(32) +
           ui.paragraph({where.x, where.y + ui.px(23), where.width, where.height}, run.text.title,
                        title);
}

/// Returns where the column ends.
double draw_text(const Ui& ui, plot::Rect where) {
    const LessonRun& run = ui.state().lessons;
    double y = draw_title(ui, where);
    y += glossed_paragraph(ui, {where.x, y, where.width, where.height}, run.text.text,
                           lesson_style(ui));
    ImGuiPainter painter = ui.painter();
    for (const std::string& formula : run.current().formulas) {
        y += ui.px(8);
        plot::draw_rich_text({where.x, y}, formula, ui.body(plot::Role::text), painter);
        y += ui.px(kLine);
    }
    return y;
}

/// A word and a sign, so that the state is not told by a colour alone.
double draw_state(const Ui& ui, plot::Rect where) {
    const bool done = ui.state().lessons.done;
    const plot::Role role = done ? plot::Role::right : plot::Role::dim;
    ui.text({where.x, where.y, where.width, ui.px(20)}, done ? "DONE" : "YOUR TURN",
            ui.style(role, ui.theme.small_px, plot::Face::bold));
    return where.y + ui.px(22);
}

/// A button of an answer, with as many lines as the answer needs. Returns its height; `pressed` is
/// set to whether it was pressed.
double draw_choice(Ui& ui, std::string_view id, plot::Rect where, const std::string& label,
                   bool chosen, bool& pressed) {
    const double aside = ui.px(8), above = ui.px(6);
    const plot::TextStyle style = ui.caption(plot::Role::text);
    const double lines = ui.paragraph_height(where.width - 2 * aside, label, style);
    const bool fits = ui.width(label, style) <= where.width - 2 * aside;
    const double height = fits ? button_height(ui) : std::max(button_height(ui), lines + 2 * above);
    pressed = button(ui, id, {where.x, where.y, where.width, height}, fits ? label : "",
                     {.selected = chosen, .raised = true, .text = plot::Role::text});
    if (!fits) {
        ui.paragraph({where.x + aside, where.y + above, where.width - 2 * aside, lines}, label,
                     style);
    }
    return height;
}

double draw_choices(Ui& ui, plot::Rect where) {
    LessonRun& run = ui.state().lessons;
    const lessons::ChoiceQuestion& question = *run.current().task->question;
    double y = where.y;
    for (std::size_t i = 0; i < run.text.choices.size(); ++i) {
        const bool chosen = run.answer == i;
        const std::string sign = !chosen ? "" : i == question.right ? "right: " : "not this: ";
        bool pressed = false;
        y += draw_choice(ui, fmt::format("answer {}", i + 1),
                         {where.x, y, where.width, where.height}, sign + run.text.choices[i],
                         chosen, pressed) +
             ui.px(6);
        if (pressed) {
            answer(ui.state(), i);
        }
    }
    if (run.answer == question.right) {
        y += ui.paragraph({where.x, y, where.width, where.height}, run.text.why,
                          ui.caption(plot::Role::text));
    }
    return y;
}

double draw_task(Ui& ui, plot::Rect where) {
    LessonRun& run = ui.state().lessons;
    if (!run.current().task) {
        return where.y;
    }
    double y = draw_state(ui, where);
    const bool asks = run.current().task->question.has_value();
    y += ui.paragraph({where.x, y, where.width, where.height}, asks ? run.text.asks : run.text.task,
                      lesson_style(ui));
    y += ui.px(8);
    if (asks) {
        y = draw_choices(ui, {where.x, y, where.width, where.height});
    }
    if (run.hint_shown) {
        y += ui.paragraph({where.x, y, where.width, where.height}, "Hint: " + run.text.hint,
                          ui.caption(plot::Role::dim));
    }
    return y;
}

constexpr const char *kLeave = "Leave", *kLeaveByKey = "Leave: Esc";

struct FooterButton {
    std::string id, label;
    ButtonLook look;
    void (*act)(AppState& state);
};

std::vector<FooterButton> footer_buttons(const AppState& state, bool name_next_lesson) {
    const LessonRun& run = state.lessons;
    const ButtonLook plain{.text = plot::Role::text};
    const bool last = run.is_last();
    std::vector<FooterButton> buttons = {
        {"lesson back", "Back", {.enabled = run.step > 0, .text = plot::Role::text}, previous_step},
        {"lesson next",
         last ? "Finish" : "Next",
         {.selected = run.done, .raised = true, .text = plot::Role::text},
         next_step}};
    if (const lessons::Lesson* after = last ? lesson_after(*run.lesson) : nullptr) {
        buttons.push_back({"next lesson",
                           name_next_lesson ? "Next lesson: " + after->title : "Next lesson", plain,
                           next_lesson});
    }
    if (run.current().task && !run.done) {
        if (run.hint_shown) {
            buttons.push_back({"lesson solution", "Do it for me", plain, show_solution});
        } else {
            buttons.push_back({"lesson hint", "Hint", plain, show_hint});
        }
    }
    // In a presentation Esc ends the presentation first.
    buttons.push_back(
        {"lesson leave", state.presenting ? kLeave : kLeaveByKey, plain, leave_lesson});
    return buttons;
}

double button_width(const Ui& ui, const FooterButton& button) {
    return ui.width(button.label, ui.caption(plot::Role::dim)) + ui.px(28);
}

/// The buttons, and behind the first two where in the lesson we are (empty: not said).
struct Footer {
    std::vector<FooterButton> buttons;
    std::string place;
};

double footer_width(const Ui& ui, const Footer& footer) {
    double width =
        footer.place.empty() ? 0.0 : ui.width(footer.place, ui.small(plot::Role::dim)) + ui.px(24);
    for (const FooterButton& button : footer.buttons) {
        width += button_width(ui, button) + ui.px(8);
    }
    return width - ui.px(8);
}

/// What fits into the width: the name of the next lesson is left out first, then the place, then
/// the key that leaves, and at the end the button that does.
Footer fitting_footer(const Ui& ui, double width) {
    const AppState& state = ui.state();
    const LessonRun& run = state.lessons;
    Footer footer{footer_buttons(state, true), for_hall(ui) ? "" : step_place(run)};
    if (footer_width(ui, footer) > width) {
        footer.buttons = footer_buttons(state, false);
    }
    if (footer_width(ui, footer) > width) {
        footer.place.clear();
    }
    if (footer_width(ui, footer) > width) {
        footer.buttons.back().label = kLeave;
    }
    if (footer_width(ui, footer) > width && run.is_last()) {
        footer.buttons.pop_back();  // "Finish" leaves, too
    }
    return footer;
}

void draw_footer(Ui& ui, plot::Rect where) {
    constexpr std::size_t kBeforePlace = 2;
    const double margin = columns_of(ui, where.width).side;
    const Footer footer = fitting_footer(ui, where.width - 2 * margin);
    const double y = where.y + (where.height - button_height(ui)) / 2;
    double x = where.x + margin;
    void (*act)(AppState & state) = nullptr;
    for (std::size_t i = 0; i < footer.buttons.size(); ++i) {
        const FooterButton& each = footer.buttons[i];
        if (i == kBeforePlace && !footer.place.empty()) {
            x += ui.px(8) +
                 ui.text({x + ui.px(4), y, ui.px(140), button_height(ui)}, footer.place,
                         ui.small(plot::Role::dim)) +
                 ui.px(16);
        }
        const double width = button_width(ui, each);
        if (button(ui, each.id, {x, y, width, button_height(ui)}, each.label, each.look)) {
            act = each.act;
        }
        x += width + ui.px(8);
    }
    if (act != nullptr) {
        act(ui.state());
    }
}

/// Text that is taller than its area scrolls by the wheel, and by the arrows while it has the
/// focus.
void scroll_by_keys(Ui& ui, plot::Rect area) {
    if (ImGui::GetScrollMaxY() <= 0) {
        return;
    }
    // A place for the keyboard alone: an area of this size would take the mouse from the answers.
    const Touch touch = ui.touch("lesson text", {area.x, area.y, 1, 1});
    if (!touch.focused) {
        return;
    }
    focus_ring(ui, area);
    const double line = ui.px(2 * kLine);
    if (const int by = rows_by_keys(ui, static_cast<int>(area.height / line)); by != 0) {
        ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + static_cast<float>(by * line), 0.0F,
                                     ImGui::GetScrollMaxY()));
    }
}

}  // namespace

void draw_lesson_panel(Ui& ui) {
    const plot::Rect& area = ui.regions.explanation;
    const double footer = std::min(area.height, button_height(ui) + ui.px(kAroundButton));
    {
        const Surface surface(ui, "lesson", {area.x, area.y, area.width, area.height - footer},
                              Surface::Kind::child);
        scroll_by_keys(ui, {area.x, area.y, area.width, area.height - footer});
        const LessonColumns columns = columns_of(ui, area.width);
        const double unlimited = 1e6, left = surface.origin().x + columns.side;
        const double top = surface.origin().y + ui.px(kLessonTop);
        double end = draw_text(ui, {left, top, columns.text, unlimited});
        const plot::Rect task =
            columns.stacked
                ? plot::Rect{left, end + ui.px(kLessonTop), columns.task, unlimited}
                : plot::Rect{left + columns.text + columns.gap, top, columns.task, unlimited};
        const double end_of_task = draw_task(ui, task) + ui.px(8) - surface.origin().y;
        end = std::max(end + ui.px(8) - surface.origin().y, end_of_task);
        surface.content_height(end);
        using Scroll = LessonRun::Scroll;
        const Scroll scroll = std::exchange(ui.state().lessons.scroll, Scroll::stay);
        if (scroll == Scroll::to_beginning) {
            surface.scroll_to(0);
        } else if (scroll == Scroll::to_end_of_task) {
            surface.scroll_down_to(end_of_task);
        }
    }
    draw_footer(ui, {area.x, area.y + area.height - footer, area.width, footer});
}

}  // namespace ropescope::gui
