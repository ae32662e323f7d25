// Keys and what they do. The one table of shortcuts feeds the dispatch and the help overlay.
#pragma once

#include <span>
#include <string_view>

#include "app/plot/figure.h"

namespace ropescope::gui {

/// A key as GLFW names it (GLFW_KEY_...), letters as the keyboard's layout has them. Collected by
/// our own callback: ImGui 1.86 loses a key that goes down and up between two frames.
struct KeyPress {
    int key = 0;
    bool control = false, shift = false;
    bool repeat = false;
    bool operator==(const KeyPress&) const = default;
};

enum class Action {
    step_back,
    step_forward,
    both_back,
    both_forward,
    play,
    undo,
    redo,
    copy_command,
    export_figure,
    model_menu,
    theme,
    explanation,
    engine,
    checks,
    help,
    quit,
};

struct Shortcut {
    KeyPress press;
    Action action;
    std::string_view keys;  ///< as the help writes it: "Ctrl + Z"
    std::string_view does;  ///< empty: a second way to the row above
};

std::span<const Shortcut> shortcuts();

/// A key, without others, that follows the figure's link of that key.
struct LinkShortcut {
    int key = 0;
    plot::Link::Key link;
    std::string_view keys, does;  ///< as in Shortcut
};

std::span<const LinkShortcut> link_shortcuts();
/// The key of a figure's link; Key::none if it is another key.
plot::Link::Key link_key(const KeyPress& press);

/// The view's place in the navigation that a key stands for (1 .. 9, 0, then letters), or -1.
int view_of_key(const KeyPress& press);
/// The key of a place in the navigation, empty if the place has none.
std::string_view key_of_view(int place);

}  // namespace ropescope::gui
