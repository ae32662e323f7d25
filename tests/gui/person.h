// Somebody at the window: moves the mouse, presses keys, looks. Offscreen, frame by frame.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include "app/headless/offscreen_gui.h"

namespace ropescope::test {

inline Scene in_view(const std::string& view) {
    Scene scene;
    scene.view = view;
    return scene;
}

inline plot::Pixel middle(plot::Rect r) {
    return {r.x + r.width / 2, r.y + r.height / 2};
}

class Person {
  public:
    /// A window large enough for all controls, small enough to be drawn quickly.
    explicit Person(const Scene& scene = {},
                    const headless::ScreenshotOptions& options = {.width = 720, .height = 1000})
        : engine_(make_cpu_engine(1)), gui_(scene, *engine_, options) {
        frames(3);
    }

    headless::OffscreenGui& gui() { return gui_; }
    gui::AppState& state() { return gui_.state(); }
    const Scene& scene() { return gui_.state().scene; }

    void frames(int count) {
        for (int i = 0; i < count; ++i) {
            gui_.frame();
        }
    }

    gui::Probe probe(const std::string& control) {
        state().probe = {.name = control, .place = std::nullopt};
        frames(1);
        return std::exchange(state().probe, {});
    }
    std::optional<plot::Rect> find(const std::string& control) { return probe(control).place; }
    /// Throws when the control is not in the window.
    plot::Rect place(const std::string& control) {
        const std::optional<plot::Rect> found = find(control);
        if (!found) {
            throw std::runtime_error("no control '" + control + "' in the window");
        }
        return *found;
    }

    void point(plot::Pixel at) {
        gui_.input.mouse = at;
        frames(2);
    }
    void press(bool down) {
        gui_.input.mouse_down = down;
        frames(2);
    }
    void click_at(plot::Pixel at) {
        point(at);
        press(true);
        press(false);
        frames(3);  // a field that opens takes the keyboard in its second frame
    }
    void click(const std::string& control) {
        const plot::Rect r = place(control);
        click_at({r.x + r.width / 2, r.y + r.height / 2});
    }
    void key(int key, bool control = false, bool shift = false) {
        state().keys.push_back({key, control, shift});
        frames(4);
    }
    void type(const std::string& text) {
        gui_.input.typed = text;
        frames(2);
    }

  private:
    std::unique_ptr<Engine> engine_;
    headless::OffscreenGui gui_;
};

}  // namespace ropescope::test
