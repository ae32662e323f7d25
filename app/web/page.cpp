// The functions of the page: they open its window and pass on what page.js says. One page has one
// window.
//
// page.js owns the loop: it calls page_frame() when a frame is due and waits as long as that tells,
// or until an event comes. Paths are those of a file system in memory.
#include "app/web/page.h"

#include <emscripten/emscripten.h>
#include <emscripten/html5.h>
#include <exception>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/state/export_actions.h"
#include "app/plot/figure_file.h"
#include "app/web/arrays.h"
#include "app/web/input.h"
#include "app/web/link.h"
#include "app/web/page_window.h"
#include "app/web/spoken.h"
#include "core/base/error.h"
#include "core/demo/fetched_files.h"

namespace ropescope::web {
namespace {

std::unique_ptr<PageWindow>& page() {
    static std::unique_ptr<PageWindow> only;
    return only;
}

/// What the last call answered: page.js copies it before the next call.
std::string& answered() {
    static std::string text;
    return text;
}

/// JavaScript has no whole numbers of its own; a ticket stays far below 2^53.
std::uint64_t ticket_of(double number) {
    return static_cast<std::uint64_t>(number);
}

/// Has the window show what was refused.
template <typename Do>
bool attempt(const Do& action) {
    try {
        action();
        return true;
    } catch (const std::exception& refused) {
        page()->say(reason_of(refused));
        return false;
    }
}

}  // namespace
}  // namespace ropescope::web

using ropescope::web::InputEvent;
using ropescope::web::page;
using ropescope::web::ticket_of;

extern "C" {

EMSCRIPTEN_KEEPALIVE const char* page_open(const char* link, const char* usual_theme) {
    using namespace ropescope::web;
    EmscriptenWebGLContextAttributes wanted;
    emscripten_webgl_init_context_attributes(&wanted);
    wanted.majorVersion = 2;
    wanted.alpha = wanted.depth = wanted.stencil = false;
    wanted.antialias = false;  // as in the window of a desktop: ImGui smooths its own edges
    const EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context =
        emscripten_webgl_create_context("#canvas", &wanted);
    if (context <= 0) {
        return "no WebGL 2";
    }
    emscripten_webgl_make_context_current(context);
    const Linked linked = read_link(link);
    try {
        page() = std::make_unique<PageWindow>(linked, usual_theme);
    } catch (const std::exception& error) {
        return (answered() = error.what()).c_str();
    }
    return "";
}

EMSCRIPTEN_KEEPALIVE double page_frame(double seconds) {
    double wait = -1;
    ropescope::web::attempt([&] { wait = page()->frame(seconds); });
    return wait;
}

EMSCRIPTEN_KEEPALIVE void page_resize(int width, int height, double density) {
    page()->resize(width, height, density);
}

EMSCRIPTEN_KEEPALIVE void page_move(double x, double y) {
    page()->push({.kind = InputEvent::Kind::move, .x = x, .y = y});
}

EMSCRIPTEN_KEEPALIVE void page_leave() {
    page()->push({.kind = InputEvent::Kind::leave});
}

EMSCRIPTEN_KEEPALIVE void page_button(int button, int down, int control, int shift) {
    page()->push({.kind = InputEvent::Kind::button,
                  .code = button,
                  .down = down != 0,
                  .control = control != 0,
                  .shift = shift != 0});
}

EMSCRIPTEN_KEEPALIVE void page_wheel(double x, double y, int control, int shift) {
    page()->push({.kind = InputEvent::Kind::wheel,
                  .x = x,
                  .y = y,
                  .control = control != 0,
                  .shift = shift != 0});
}

EMSCRIPTEN_KEEPALIVE int page_key(const char* code, const char* key, int down, int control,
                                  int shift, int repeat) {
    const int known = ropescope::web::glfw_key(code, key);
    if (known != 0) {
        page()->push({.kind = InputEvent::Kind::key,
                      .code = known,
                      .down = down != 0,
                      .control = control != 0,
                      .shift = shift != 0,
                      .repeat = repeat != 0});
    }
    return known != 0 ? 1 : 0;
}

EMSCRIPTEN_KEEPALIVE void page_text(const char* text) {
    page()->push({.kind = InputEvent::Kind::text, .text = text});
}

EMSCRIPTEN_KEEPALIVE int page_file(const char* path) {
    bool opened = false;
    ropescope::web::attempt([&] { opened = page()->open(path); });
    return opened ? 1 : 0;
}

EMSCRIPTEN_KEEPALIVE int page_join(const char* folder) {
    return ropescope::web::attempt([&] { ropescope::web::join_arrays(folder); }) ? 1 : 0;
}

EMSCRIPTEN_KEEPALIVE int page_scroll(double down) {
    return page()->scroll(down) ? 1 : 0;
}

EMSCRIPTEN_KEEPALIVE int page_follow(const char* link) {
    return ropescope::web::attempt([&] { page()->follow(ropescope::web::read_link(link)); }) &&
                   page()->answer("left out").empty()
               ? 1
               : 0;
}

EMSCRIPTEN_KEEPALIVE int page_set(const char* parameter, const char* text) {
    return page()->set(parameter, text) ? 1 : 0;
}

EMSCRIPTEN_KEEPALIVE void page_act(const char* name) {
    ropescope::web::attempt([&] { page()->act(name); });
}

EMSCRIPTEN_KEEPALIVE void page_work_progress(double ticket, double done) {
    page()->work_progress(ticket_of(ticket), done);
}

EMSCRIPTEN_KEEPALIVE void page_work_result(const char* kind, double ticket, const char* path) {
    ropescope::web::attempt([&] { page()->work_result(kind, ticket_of(ticket), path); });
}

EMSCRIPTEN_KEEPALIVE void page_work_refused(double ticket, const char* why) {
    page()->work_refused(ticket_of(ticket), why);
}

EMSCRIPTEN_KEEPALIVE void page_work_failed(const char* kind, double ticket, const char* why) {
    page()->work_failed(kind, ticket_of(ticket), why);
}

EMSCRIPTEN_KEEPALIVE const char* page_answer(const char* question) {
    return (ropescope::web::answered() = page()->answer(question)).c_str();
}

}  // extern "C"

namespace ropescope::web {

// What page.js asks for after a frame, by name.

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

/// The figure as it is put on paper, with its letters as outlines; empty if there is none.
std::string on_paper(gui::AppState& state) {
    return state.shown.figure() == nullptr
               ? ""
               : plot::figure_file(gui::exported_figure(state), "paper.svg",
                                   {.letters = plot::Letters::outlines});
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
                             .step = state.lessons.open() ? state.lessons.step + 1 : 0,
                             .theme = usual ? "" : std::string(state.theme.name),
                             .left_out = {}});
         }},
        {"left out", [](PageWindow& page) { return page.left_out_; }},
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
        {"on paper", [](PageWindow& page) { return on_paper(page.state_); }},
        {"theme", [](PageWindow& page) { return std::string(page.state_.theme.name); }},
        {"cursor",
         [](PageWindow&) {
             const bool text = ImGui::GetMouseCursor() == ImGuiMouseCursor_TextInput;
             return std::string(text ? "text" : "default");
         }},
        {"asked of page",
         [](PageWindow& page) { return std::exchange(page.state_.asked_of_host, ""); }},
        {"full screen", [](PageWindow& page) { return yes_if(page.state_.full_screen); }},
        // Who goes through the page passes the canvas; F6 leads into it, and a click.
        {"Tab leaves",
         [](PageWindow& page) {
             const gui::AppState& state = page.state_;
             const bool outside = state.focus.current() == 0 && state.overlay == gui::Overlay::none;
             return yes_if(outside || state.focus.goes_round(1));
         }},
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
