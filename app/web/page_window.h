// The window of a page: a second app/gui/window.cpp. Sources: page_window.cpp, with what buttons of
// the page do; page.cpp, with what page.js asks.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/gui/frame_pacing.h"
#include "app/gui/state/app_state.h"
#include "app/gui/state/lesson_run.h"
#include "app/gui/toolkit/toolkit.h"
#include "app/web/beside.h"
#include "app/web/input.h"
#include "app/web/link.h"

namespace ropescope::web {

class PageWindow {
  public:
    /// `usual_theme`: by name, the reader's own setting.
    PageWindow(const Linked& linked, std::string_view usual_theme);

    /// Who follows a link is offered nothing over what it leads to. Says what of it was left out.
    void follow(const Linked& linked);
    void say(const std::string& error);

    /// As the functions of page.h.
    double frame(double seconds);
    void resize(int width, int height, double density);
    void push(InputEvent event);
    bool scroll(double down);
    bool open(const std::string& path);  ///< false: refused
    bool set(std::string_view parameter, std::string_view text);

    /// What a button of the page does: "copy picture", "theme", "step base -1", "next".
    void act(std::string_view said);
    /// What page.js asks for: "link", "spoken", "clipboard". What is to be used once is gone then.
    std::string answer(std::string_view question);

    void work_progress(std::uint64_t ticket, double done);
    void work_result(std::string_view kind, std::uint64_t ticket, const std::string& path);
    void work_refused(std::uint64_t ticket, const std::string& why);
    void work_failed(std::string_view kind, std::uint64_t ticket, const std::string& why);

  private:
    /// Follows the reader's own setting, unless another theme was chosen.
    void use_usual_theme(std::string_view name);
    /// What the window shows of itself: all; on a small screen the figure with its words beside it
    /// in the page; there the whole figure alone.
    enum class Shape { wide, narrow, alone };
    void set_shape(Shape shape);
    void arrange();  ///< by the shape, and for a frame in another page
    /// The browser has taken back what was drawn with, and gives it anew.
    void draw_anew();
    void export_as(std::string_view ending);
    /// Moves a slider to a place, 0 .. 1, or by steps as a key does. `words`: "NAME NUMBER".
    void slide(std::string_view words);
    void step(std::string_view words);

    std::unique_ptr<Engine> engine_ = make_cpu_engine(1);
    std::optional<gui::Toolkit> toolkit_;
    gui::AppState state_;
    gui::FramePacing pacing_;
    gui::LessonFile lessons_{"/home/lessons.json"};
    InputQueue input_;
    Beside beside_;
    std::string requests_ = "{}";  ///< of the last frame
    bool fetching_ = false;        ///< files that were missing
    bool embedded_ = false;
    bool figure_alone_ = false;  ///< there is no room for more, or it is a part of another page
    Shape shape_ = Shape::wide;
    int width_ = 16, height_ = 16;
    double density_ = 1, last_frame_ms_ = 0;
    std::string usual_theme_;  ///< the reader's own setting
    std::string left_out_;     ///< of the last link, as it is said
};

}  // namespace ropescope::web
