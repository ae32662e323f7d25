// What the page's own buttons and events do, by the words that page.js says.
#include <optional>
#include <span>
#include <string>

#include "app/gui/state/actions.h"
#include "app/web/page_window.h"

namespace ropescope::web {

void PageWindow::act(std::string_view said) {
    struct Act {
        std::string_view words;  ///< at the beginning; what follows is passed on
        void (*perform)(PageWindow& page, std::string_view rest);
    };
    using Words = std::string_view;
    static constexpr Act kActs[] = {
        {"copy picture", [](PageWindow& page, Words) { gui::copy_picture(page.state_); }},
        {"usual theme ", [](PageWindow& page, Words name) { page.use_usual_theme(name); }},
        {"theme",
         [](PageWindow& page, Words) { gui::perform(page.state_, gui::Action::theme, false); }},
        {"undo", [](PageWindow& page, Words) { gui::undo(page.state_); }},
        {"run checks",
         [](PageWindow& page, Words) { gui::perform(page.state_, gui::Action::checks, false); }},
        {"stop or go on",
         [](PageWindow& page, Words) {
             gui::Refining& refining = page.state_.shown.refining;
             refining = {.done = std::nullopt, .stopped = !refining.stopped};
         }},
        {"model ",
         [](PageWindow& page, Words id) { gui::choose_model(page.state_, std::string(id)); }},
        {"slide ", [](PageWindow& page, Words words) { page.slide(words); }},
        {"step ", [](PageWindow& page, Words words) { page.step(words); }},
        {"narrow", [](PageWindow& page, Words) { page.set_narrow(true); }},
        {"wide", [](PageWindow& page, Words) { page.set_narrow(false); }},
        {"probe ",
         [](PageWindow& page, Words name) { page.state_.probe = {.name = std::string(name)}; }},
        {"files came",
         [](PageWindow& page, Words) {
             page.fetching_ = false;
             page.state_.shown.forget();
         }},
        {"refused ",
         [](PageWindow& page, Words why) {
             page.fetching_ = false;
             page.state_.error = why;
         }},
    };
    static constexpr Act kInLesson[] = {
        {"back", [](PageWindow& page, Words) { gui::previous_step(page.state_); }},
        {"next", [](PageWindow& page, Words) { gui::next_step(page.state_); }},
        {"hint", [](PageWindow& page, Words) { gui::show_hint(page.state_); }},
        {"leave", [](PageWindow& page, Words) { gui::leave_lesson(page.state_); }},
        {"answer ",
         [](PageWindow& page, Words number) {
             gui::answer(page.state_, std::stoul(std::string(number)));
         }},
    };
    pacing_.event();
    const auto perform = [&](std::span<const Act> acts) {
        for (const Act& act : acts) {
            if (said.starts_with(act.words)) {
                return act.perform(*this, said.substr(act.words.size()));
            }
        }
    };
    perform(kActs);
    if (state_.lessons.open()) {
        perform(kInLesson);
    }
}

}  // namespace ropescope::web
