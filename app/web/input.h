// The events of a browser's page, handed to ImGui a frame at a time, and the keys of a browser as
// GLFW names them.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/gui/state/keys.h"

namespace ropescope::web {

// The events of a browser's page, handed to ImGui a frame at a time.

/// What happened to the canvas. Places are in pixels of the device.
struct InputEvent {
    enum class Kind { move, leave, button, wheel, key, text } kind = Kind::move;
    double x = 0, y = 0;  ///< of move; of wheel, in lines
    int code = 0;         ///< of button: 0 left, 1 right, 2 middle; of key: as GLFW names it
    bool down = false;
    bool control = false, shift = false, repeat = false;
    std::string text = {};
};

/// Passes events on in their order. If a button is pressed and released between two frames, ImGui
/// gets the press in the first and the release in the second, because it looks at the state of a
/// button and not at its changes.
class InputQueue {
  public:
    void push(InputEvent event) { events_.push_back(std::move(event)); }
    bool empty() const { return events_.empty(); }
    /// Tells the current ImGui context what the next frame shall know, and returns the keys
    /// pressed.
    std::vector<gui::KeyPress> begin_frame();

  private:
    std::deque<InputEvent> events_;
};

/// Tells ImGui which keys a text field reads. Once, after its context was made.
void name_keys_for_imgui();

// The keys of a browser as GLFW names them.

/// GLFW's constant for a key. `code`: its place on the keyboard, `key`: what it writes in the
/// layout of the user (KeyboardEvent.code and .key of the UI Events specification). Letters and
/// digits are the written ones, as the window's shortcuts want them; 0 for a key that the window
/// has no use for.
int glfw_key(std::string_view code, std::string_view key);

}  // namespace ropescope::web
