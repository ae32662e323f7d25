// Draws the frames of a page and takes what happens to it.
#include "app/web/page_window.h"

#include <algorithm>
#include <epoxy/gl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>
#include <imgui_internal.h>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "app/gui/draw_frame.h"
#include "app/gui/state/actions.h"
#include "app/gui/state/export_actions.h"
#include "app/scene/sliders.h"
#include "core/base/file.h"

namespace ropescope::web {
namespace {

/// Of "NAME NUMBER".
std::pair<const Parameter&, double> parameter_and_number(std::string_view words) {
    const std::size_t space = words.find(' ');
    return {parameter_by_name(words.substr(0, space)),
            std::stod(std::string(words.substr(space + 1)))};
}

void move_slider(gui::AppState& state, const Parameter& parameter, double value) {
    gui::edit_scene(state, with_slider(state.scene, parameter.name, value));
}

}  // namespace

PageWindow::PageWindow(const Linked& linked, std::string_view usual_theme) {
    draw_anew();
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

void PageWindow::follow(const Linked& linked) {
    state_.error.clear();
    state_.lessons.offered &= linked.scene == Scene() && !linked.embedded;
    leave_lesson(state_);
    gui::edit_scene(state_, linked.scene);
    embedded_ = linked.embedded;
    arrange();
    if (!linked.theme.empty()) {
        state_.theme = plot::theme_by_name(linked.theme);
    }
    if (!linked.lesson.empty()) {
        gui::open_lesson(state_, linked.lesson);
    }
    if (linked.step > 0 && state_.lessons.open()) {
        gui::show_step(state_, linked.step - 1);
    }
    left_out_ = linked.left_out.empty() ? ""
                                        : fmt::format("a part of this link was left out: {}",
                                                      fmt::join(linked.left_out, "; "));
    if (!left_out_.empty()) {
        say(left_out_);
    }
    pacing_.event();
}

void PageWindow::say(const std::string& error) {
    state_.error = error;
    pacing_.event();
}

void PageWindow::resize(int width, int height, double density) {
    width_ = width;
    height_ = height;
    density_ = density;
    pacing_.event();
}

void PageWindow::push(InputEvent event) {
    input_.push(std::move(event));
    pacing_.event();
}

double PageWindow::frame(double seconds) {
    // Nothing was drawn while the page was hidden: what plays does not catch up.
    constexpr double kLongestStep = 0.1;
    if (state_.playback.playing) {
        seconds = std::min(seconds, kLongestStep);
    }
    for (const gui::KeyPress& press : input_.begin_frame()) {
        state_.keys.push_back(press);
    }
    arrange();  // Escape ends a presentation, but not a small screen
    // The figure alone has larger type for a projector; on a phone and in a frame there is no room
    // for it.
    constexpr double kNarrowed = 1 / 1.4;
    const bool narrowed = figure_alone_ && !state_.lesson_outside && !state_.lessons.open();
    state_.scale = state_.type_size * density_ * (narrowed ? kNarrowed : 1.0);
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {static_cast<float>(width_), static_cast<float>(height_)};
    io.DeltaTime = static_cast<float>(std::max(seconds, 1e-4));
    glViewport(0, 0, width_, height_);
    gui::want_fonts(state_, *toolkit_);
    const double own = toolkit_->frame([] {}, [&] { draw_frame(state_, *toolkit_, seconds); },
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

bool PageWindow::scroll(double down) {
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

bool PageWindow::open(const std::string& path) {
    pacing_.event();
    if (gui::open_file(state_, path)) {
        return true;
    }
    // Its reader knows the file and not the folder that the page has made for it.
    const std::string folder = std::filesystem::path(path).parent_path().string() + "/";
    for (std::size_t at = state_.error.find(folder); at != std::string::npos;
         at = state_.error.find(folder)) {
        state_.error.erase(at, folder.size());
    }
    return false;
}

bool PageWindow::set(std::string_view parameter, std::string_view text) {
    pacing_.event();
    state_.history.end_edit();
    return gui::set_value(state_, parameter, text);
}

void PageWindow::work_progress(std::uint64_t ticket, double done) {
    beside_.picture_progress(state_, ticket, done);
    pacing_.event();
}

void PageWindow::work_result(std::string_view kind, std::uint64_t ticket, const std::string& path) {
    pacing_.event();
    const std::string bytes = read_file(path);
    if (kind == "picture") {
        beside_.take_picture(state_, ticket, bytes);
    } else {
        beside_.take_check(state_, ticket, bytes);
    }
}

void PageWindow::work_refused(std::uint64_t ticket, const std::string& why) {
    beside_.refuse_picture(state_, ticket, why);
    pacing_.event();
}

void PageWindow::work_failed(std::string_view kind, std::uint64_t ticket, const std::string& why) {
    pacing_.event();
    if (kind == "picture") {
        beside_.fail_picture(state_, ticket, why);
    } else {
        beside_.fail_checks(state_, ticket, why);
    }
}

void PageWindow::use_usual_theme(std::string_view name) {
    if (usual_theme_.empty() || state_.theme.name == usual_theme_) {
        state_.theme = plot::theme_by_name(name);
    }
    usual_theme_ = name;
}

void PageWindow::set_shape(Shape shape) {
    shape_ = shape;
    arrange();
}

void PageWindow::arrange() {
    const bool small = shape_ != Shape::wide;
    state_.in_other_page = embedded_;
    state_.lesson_outside = small && !embedded_;
    state_.words_outside = shape_ == Shape::narrow && !embedded_;
    // On a wide screen the reader presents, and what a smaller one had is over.
    const bool alone_before = std::exchange(figure_alone_, embedded_ || small);
    state_.presenting = figure_alone_ || (state_.presenting && !alone_before);
    constexpr double kLeastLetters = 12;  // CSS pixels
    state_.least_letters = figure_alone_ ? kLeastLetters * density_ : 0;
}

void PageWindow::draw_anew() {
    toolkit_.reset();
    toolkit_.emplace(1);
    name_keys_for_imgui();
}

void PageWindow::export_as(std::string_view ending) {
    if (state_.shown.picture) {
        gui::export_figure(state_, fmt::format("{}.{}", state_.scene.view, ending));
    }
}

void PageWindow::slide(std::string_view words) {
    const auto& [parameter, place] = parameter_and_number(words);
    move_slider(state_, parameter, slider_value(state_.scene, parameter, place));
}

void PageWindow::step(std::string_view words) {
    const auto& [parameter, steps] = parameter_and_number(words);
    move_slider(state_, parameter, nudged_value(state_.scene, parameter, static_cast<int>(steps)));
}

// What the page's own buttons and events do, by the words that page.js says.

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
        {"narrow", [](PageWindow& page, Words) { page.set_shape(Shape::narrow); }},
        {"alone", [](PageWindow& page, Words) { page.set_shape(Shape::alone); }},
        {"wide", [](PageWindow& page, Words) { page.set_shape(Shape::wide); }},
        {"say ", [](PageWindow& page, Words line) { page.state_.notice.say(std::string(line)); }},
        {"surface came back", [](PageWindow& page, Words) { page.draw_anew(); }},
        {"export as ", [](PageWindow& page, Words ending) { page.export_as(ending); }},
        {"offer ",
         [](PageWindow& page, Words name) { page.state_.host_commands.emplace_back(name); }},
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
             page.state_.notice = {};  // it may have said that what was refused was done
             page.state_.error = why;
         }},
    };
    static constexpr Act kInLesson[] = {
        {"back", [](PageWindow& page, Words) { gui::previous_step(page.state_); }},
        {"next", [](PageWindow& page, Words) { gui::next_step(page.state_); }},
        {"hint", [](PageWindow& page, Words) { gui::show_hint(page.state_); }},
        {"solution", [](PageWindow& page, Words) { gui::show_solution(page.state_); }},
        {"following lesson", [](PageWindow& page, Words) { gui::next_lesson(page.state_); }},
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
