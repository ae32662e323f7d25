// What page.js asks for after a frame, by name.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>
#include <optional>
#include <utility>
#include <vector>

#include "app/web/link.h"
#include "app/web/page_window.h"
#include "app/web/spoken.h"
#include "core/demo/fetched_files.h"

namespace ropescope::web {
namespace {

std::string yes_if(bool yes) {
    return yes ? "1" : "";
}

/// "12 passed, 0 failed, 3 skipped, not over"
std::string checks_text(const gui::ChecksState& checks) {
    const CheckRun& run = checks.run;
    return fmt::format("{} passed, {} failed, {} skipped{}", run.count(Status::passed),
                       run.count(Status::failed), run.count(Status::skipped),
                       checks.phase == gui::ChecksState::Phase::over ? "" : ", not over");
}

/// In pixels.
std::string place_text(const std::optional<plot::Rect>& at) {
    return at ? fmt::format("{} {} {} {}", at->x, at->y, at->width, at->height) : "";
}

}  // namespace

std::string PageWindow::answer(std::string_view question) {
    struct Answer {
        std::string_view question;
        std::string (*answer)(PageWindow& page);
    };
    static constexpr Answer kAnswers[] = {
        {"link",
         [](PageWindow& page) {
             const gui::AppState& state = page.state_;
             const bool usual = state.theme.name == page.usual_theme_;
             return link_of({.scene = state.scene,
                             .lesson = state.lessons.open() ? state.lessons.lesson->id : "",
                             .theme = usual ? "" : std::string(state.theme.name)});
         }},
        {"lists", [](PageWindow&) { return lists_json(); }},
        {"spoken", [](PageWindow& page) { return spoken_json(page.state_); }},
        {"requests", [](PageWindow& page) { return std::exchange(page.requests_, "{}"); }},
        {"wanted file",
         [](PageWindow& page) { return yes_if(std::exchange(page.state_.wants_file, false)); }},
        {"missing files",
         [](PageWindow& page) {
             const std::vector<std::string> names = demo::take_missing_files();
             page.fetching_ |= !names.empty();
             return fmt::format("{}", fmt::join(names, "\n"));
         }},
        {"clipboard", [](PageWindow& page) { return std::exchange(page.state_.clipboard, ""); }},
        {"picture",
         [](PageWindow& page) { return std::exchange(page.state_.picture_for_clipboard, ""); }},
        {"theme", [](PageWindow& page) { return std::string(page.state_.theme.name); }},
        {"cursor",
         [](PageWindow&) {
             const bool text = ImGui::GetMouseCursor() == ImGuiMouseCursor_TextInput;
             return std::string(text ? "text" : "default");
         }},
        {"full screen", [](PageWindow& page) { return yes_if(page.state_.full_screen); }},
        {"Tab leaves", [](PageWindow& page) { return yes_if(page.state_.focus.goes_round(1)); }},
        {"Shift + Tab leaves",
         [](PageWindow& page) { return yes_if(page.state_.focus.goes_round(-1)); }},
        // For tests.
        {"typing", [](PageWindow& page) { return yes_if(!page.state_.edit.target.empty()); }},
        {"draft",
         [](PageWindow& page) { return yes_if(page.fetching_ || page.state_.shown.is_draft()); }},
        {"probe", [](PageWindow& page) { return place_text(page.state_.probe.place); }},
        {"frame ms", [](PageWindow& page) { return fmt::format("{:.3f}", page.last_frame_ms_); }},
        {"checks", [](PageWindow& page) { return checks_text(page.state_.checks); }},
    };
    for (const Answer& known : kAnswers) {
        if (known.question == question) {
            return known.answer(*this);
        }
    }
    return "";
}

}  // namespace ropescope::web
