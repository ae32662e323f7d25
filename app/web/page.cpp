// The window of a browser: what page.js calls, and what it asks. One page has one window.
//
// page.js owns the loop: it calls page_frame() when a frame is due and waits as long as that tells,
// or until an event comes. Paths are those of a file system in memory.
#include "app/web/page.h"

#include <GLES3/gl3.h>
#include <algorithm>
#include <emscripten/emscripten.h>
#include <emscripten/html5.h>
#include <exception>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>
#include <imgui_internal.h>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/draw_frame.h"
#include "app/gui/frame_pacing.h"
#include "app/gui/state/actions.h"
#include "app/gui/state/lesson_file.h"
#include "app/gui/toolkit/toolkit.h"
#include "app/scene/sliders.h"
#include "app/web/beside.h"
#include "app/web/key_names.h"
#include "app/web/link.h"
#include "app/web/pointer.h"
#include "app/web/spoken.h"
#include "core/base/file.h"
#include "core/demo/fetched_files.h"

namespace ropescope::web {
namespace {

class Page {
  public:
    Page(const Linked& linked, const char* usual_theme) : toolkit_(1) {
        name_keys_for_imgui();
        state_.engine = engine_.get();
        state_.engines.gpu = gui::EngineState::Gpu::none;
        state_.engines.why_not = "in a browser everything is computed on the CPU";
        state_.shown.live = false;
        state_.shown.may_draft = true;
        state_.chooses_files = true;
        lessons_.load(state_.lessons);
        use_usual_theme(usual_theme);
        follow(linked);
        state_.history = {};  // nothing was before
    }

    /// Who follows a link is offered nothing over what it leads to.
    void follow(const Linked& linked) {
        state_.error.clear();
        state_.lessons.offered &= linked.scene == Scene() && !linked.embedded;
        leave_lesson(state_);
        gui::edit_scene(state_, linked.scene);
        embedded_ = linked.embedded;
        state_.presenting = embedded_ || narrow_;
        if (!linked.theme.empty()) {
            state_.theme = plot::theme_by_name(linked.theme);
        }
        if (!linked.lesson.empty()) {
            gui::open_lesson(state_, linked.lesson);
        }
        pacing_.event();
    }

    void resize(int width, int height, double density) {
        width_ = width;
        height_ = height;
        density_ = density;
        pacing_.event();
    }

    void push(InputEvent event) {
        input_.push(std::move(event));
        pacing_.event();
    }

    /// Seconds until the next frame is due; below 0: an event must come first.
    double frame(double seconds) {
        for (const gui::KeyPress& press : input_.begin_frame()) {
            state_.keys.push_back(press);
        }
        // The figure alone has larger type for a projector; on a phone there is no room for it.
        constexpr double kNarrowed = 1 / 1.4;
        state_.scale =
            state_.type_size * density_ * (narrow_ && !state_.lessons.open() ? kNarrowed : 1.0);
        ImGuiIO& io = ImGui::GetIO();
        io.DisplaySize = {static_cast<float>(width_), static_cast<float>(height_)};
        io.DeltaTime = static_cast<float>(std::max(seconds, 1e-4));
        glViewport(0, 0, width_, height_);
        gui::want_fonts(state_, toolkit_);
        const double own = toolkit_.frame([] {}, [&] { draw_frame(state_, toolkit_, seconds); },
                                          state_.theme[plot::Role::background]);
        state_.frame_ms = state_.frame_ms <= 0 ? own : state_.frame_ms * 0.9 + own * 0.1;
        last_frame_ms_ = own;
        requests_ = beside_.next_requests(state_);
        lessons_.save(state_.lessons);
        const double wait = pacing_.wait_after_frame(state_, 0);
        if (!input_.empty()) {
            return 0;
        }
        return wait == gui::kUntilAnEvent ? -1 : wait;
    }

    void open(const std::string& path) {
        gui::open_file(state_, path);
        pacing_.event();
    }

    bool set(const char* parameter, const char* text) {
        pacing_.event();
        state_.history.end_edit();
        return gui::set_value(state_, parameter, text);
    }

    /// What a button of the page does, by its name.
    void act(std::string_view name) {
        pacing_.event();
        gui::LessonRun& lesson = state_.lessons;
        if (name == "copy picture") {
            gui::copy_picture(state_);
        } else if (name.starts_with("usual theme ")) {
            use_usual_theme(name.substr(std::string_view("usual theme ").size()));
        } else if (name == "theme") {
            gui::perform(state_, gui::Action::theme, false);
        } else if (name == "undo") {
            gui::undo(state_);
        } else if (name.starts_with("probe ")) {
            state_.probe = {.name = std::string(name.substr(name.find(' ') + 1))};
        } else if (name == "files came") {
            fetching_ = false;
            state_.shown.forget();
        } else if (name == "narrow" || name == "wide") {
            narrow_ = name == "narrow";
            state_.presenting = embedded_ || narrow_;
        } else if (name.starts_with("slide ")) {
            slide(name.substr(name.find(' ') + 1));
        } else if (name.starts_with("step ")) {
            step(name.substr(name.find(' ') + 1));
        } else if (name.starts_with("model ")) {
            gui::choose_model(state_, std::string(name.substr(name.find(' ') + 1)));
        } else if (name.starts_with("refused ")) {
            fetching_ = false;
            state_.error = name.substr(name.find(' ') + 1);
        } else if (name == "run checks") {
            gui::perform(state_, gui::Action::checks, false);
        } else if (lesson.open() && name == "back") {
            gui::previous_step(state_);
        } else if (lesson.open() && name == "next") {
            gui::next_step(state_);
        } else if (lesson.open() && name == "hint") {
            lesson.hint_shown = true;
        } else if (lesson.open() && name == "leave") {
            gui::leave_lesson(state_);
        } else if (lesson.open() && name.starts_with("answer ")) {
            gui::answer(state_, std::stoul(std::string(name.substr(name.find(' ') + 1))));
        }
    }

    /// Follows the reader's own setting, unless another theme was chosen.
    void use_usual_theme(std::string_view name) {
        if (usual_theme_.empty() || state_.theme.name == usual_theme_) {
            state_.theme = plot::theme_by_name(name);
        }
        usual_theme_ = name;
    }

    /// "base 0.31": moves a slider to a place, 0 .. 1.
    void slide(std::string_view words) {
        const auto& [parameter, place] = parameter_and_number(words);
        move_slider(parameter, slider_value(state_.scene, parameter, place));
    }

    /// "base -1": moves a slider by steps, as a key does.
    void step(std::string_view words) {
        const auto& [parameter, steps] = parameter_and_number(words);
        move_slider(parameter, nudged_value(state_.scene, parameter, static_cast<int>(steps)));
    }

    /// Scrolls what lies under the pointer. Returns whether anything there can be scrolled.
    bool scroll(double down) {
        ImGuiWindow* window = ImGui::GetCurrentContext()->HoveredWindow;
        while (window != nullptr && window->ScrollMax.y <= 0) {
            window = window->ParentWindow;
        }
        if (window == nullptr) {
            return false;
        }
        const double to = std::clamp<double>(window->Scroll.y + down, 0, window->ScrollMax.y);
        ImGui::SetScrollY(window, static_cast<float>(to));
        pacing_.event();
        return true;
    }

    /// What page.js asks for by name; taken away where it is to be used once.
    std::string answer(std::string_view question) {
        if (question == "link") {
            return link_of(
                {.scene = state_.scene,
                 .lesson = state_.lessons.open() ? state_.lessons.lesson->id : "",
                 .theme = state_.theme.name == usual_theme_ ? "" : std::string(state_.theme.name)});
        }
        if (question == "wanted file") {
            return std::exchange(state_.wants_file, false) ? "1" : "";
        }
        if (question == "lists") {
            return lists_json();
        }
        if (question == "spoken") {
            return spoken_json(state_);
        }
        if (question == "clipboard") {
            return std::exchange(state_.clipboard, "");
        }
        if (question == "picture") {
            return std::exchange(state_.picture_for_clipboard, "");
        }
        if (question == "theme") {
            return std::string(state_.theme.name);
        }
        if (question == "cursor") {
            return ImGui::GetMouseCursor() == ImGuiMouseCursor_TextInput ? "text" : "default";
        }
        if (question == "typing") {
            return state_.edit.target.empty() ? "" : "1";
        }
        if (question == "full screen") {
            return state_.full_screen ? "1" : "";
        }
        if (question == "probe") {  // pixels
            const std::optional<plot::Rect>& at = state_.probe.place;
            return at ? fmt::format("{} {} {} {}", at->x, at->y, at->width, at->height) : "";
        }
        if (question == "draft") {
            return fetching_ || state_.shown.is_draft() ? "1" : "";
        }
        if (question == "missing files") {
            const std::vector<std::string> names = demo::take_missing_files();
            fetching_ |= !names.empty();
            return fmt::format("{}", fmt::join(names, "\n"));
        }
        if (question == "requests") {
            return std::exchange(requests_, "{}");
        }
        if (question == "frame ms") {
            return fmt::format("{:.3f}", last_frame_ms_);
        }
        if (question == "checks") {
            const CheckRun& run = state_.checks.run;
            return fmt::format(
                "{} passed, {} failed, {} skipped{}", run.count(Status::passed),
                run.count(Status::failed), run.count(Status::skipped),
                state_.checks.phase == gui::ChecksState::Phase::over ? "" : ", not over");
        }
        return "";
    }

    void say(const std::string& error) {
        state_.error = error;
        pacing_.event();
    }

    void refuse_link(const std::string& why) { say("this link cannot be followed: " + why); }

    void work_progress(std::uint64_t ticket, double done) {
        beside_.picture_progress(state_, ticket, done);
        pacing_.event();
    }

    void work_result(std::string_view kind, std::uint64_t ticket, const std::string& path) {
        pacing_.event();
        const std::string bytes = read_file(path);
        if (kind == "picture") {
            beside_.take_picture(state_, ticket, bytes);
        } else {
            beside_.take_check(state_, ticket, bytes);
        }
    }

    void work_refused(std::uint64_t ticket, const std::string& why) {
        beside_.refuse_picture(state_, ticket, why);
        pacing_.event();
    }

    void work_failed(std::string_view kind, std::uint64_t ticket, const std::string& why) {
        pacing_.event();
        if (kind == "picture") {
            beside_.fail_picture(state_, ticket, why);
        } else {
            beside_.fail_checks(state_, ticket, why);
        }
    }

  private:
    /// Of "NAME NUMBER".
    static std::pair<const Parameter&, double> parameter_and_number(std::string_view words) {
        const std::size_t space = words.find(' ');
        return {parameter_by_name(words.substr(0, space)),
                std::stod(std::string(words.substr(space + 1)))};
    }
    void move_slider(const Parameter& parameter, double value) {
        gui::edit_scene(state_, with_slider(state_.scene, parameter.name, value));
    }

    std::unique_ptr<Engine> engine_ = make_cpu_engine(1);
    gui::Toolkit toolkit_;
    gui::AppState state_;
    gui::FramePacing pacing_;
    gui::LessonFile lessons_{"/home/lessons.json"};
    InputQueue input_;
    Beside beside_;
    std::string requests_ = "{}";  ///< of the last frame
    bool fetching_ = false;        ///< files that were missing
    bool embedded_ = false, narrow_ = false;
    int width_ = 16, height_ = 16;
    double density_ = 1, last_frame_ms_ = 0;
    std::string usual_theme_;  ///< the reader's own setting
};

std::unique_ptr<Page>& page() {
    static std::unique_ptr<Page> only;
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
        page()->say(refused.what());
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
    Linked linked;
    std::string refused;
    try {
        linked = read_link(link);
    } catch (const std::exception& error) {
        refused = error.what();
    }
    try {
        page() = std::make_unique<Page>(linked, usual_theme);
    } catch (const std::exception& error) {
        return (answered() = error.what()).c_str();
    }
    if (!refused.empty()) {
        page()->refuse_link(refused);
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

EMSCRIPTEN_KEEPALIVE void page_file(const char* path) {
    ropescope::web::attempt([&] { page()->open(path); });
}

EMSCRIPTEN_KEEPALIVE int page_scroll(double down) {
    return page()->scroll(down) ? 1 : 0;
}

EMSCRIPTEN_KEEPALIVE int page_follow(const char* link) {
    try {
        page()->follow(ropescope::web::read_link(link));
        return 1;
    } catch (const std::exception& refused) {
        page()->refuse_link(refused.what());
        return 0;
    }
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
