// Keys and what they do. One table of shortcuts serves the window and the help.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/figures/view.h"
#include "app/plot/figure.h"

namespace ropescope::gui {

/// A key as GLFW names it (GLFW_KEY_...); letters as the keyboard's layout writes them. The window
/// collects keys itself, because ImGui 1.86 loses a key that goes down and up between two frames.
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
    copy_picture,
    export_figure,
    model_menu,
    theme,
    explanation,
    engine,
    checks,
    save_scene,
    menu,
    full_screen,
    presenting,
    larger_type,
    smaller_type,
    usual_type,
    find,
    next_region,
    previous_region,
    lessons,
    help,
    quit,
};

struct Shortcut {
    KeyPress press;
    Action action;
    std::string_view keys;  ///< as the help writes it: "Ctrl + Z"
    std::string_view does;  ///< empty: another key for the row above
};

std::span<const Shortcut> shortcuts();

/// A key without Ctrl and Shift that follows a link of the figure.
struct LinkShortcut {
    int key = 0;
    plot::Link::Key link;
    std::string_view keys, does;  ///< as in Shortcut
};

std::span<const LinkShortcut> link_shortcuts();
/// Which link the key follows; Key::none if it follows none.
plot::Link::Key link_key(const KeyPress& press);

/// The view that the key (1 .. 9, 0, then letters) shows; null if it shows none.
const figures::View* view_of_key(const KeyPress& press);

// The keys and what the mouse does, for the help of the window and for the user guide.

struct HelpRow {
    std::string keys, does;
};

/// The keys, from the tables that handle them; then what the mouse and the focus do.
std::vector<HelpRow> help_rows();
/// The same as the table of the user guide, in Markdown.
std::string help_markdown();

}  // namespace ropescope::gui
