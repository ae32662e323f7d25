// The tables of shortcuts, and what a key press finds in them.
#include "app/gui/state/keys.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <algorithm>
#include <array>
#include <utility>

namespace ropescope::gui {

std::span<const Shortcut> shortcuts() {
    static constexpr auto kTable = std::to_array<Shortcut>({
        {{GLFW_KEY_SPACE},
         Action::play,
         "Space",
         "play or stop: the positions, the walk in the layouts, or the slider with the focus"},
        {{GLFW_KEY_LEFT}, Action::step_back, "← →", "move the query by one position"},
        {{GLFW_KEY_RIGHT}, Action::step_forward, "", ""},
        {{GLFW_KEY_LEFT, false, true},
         Action::both_back,
         "Shift + ← →",
         "move query and key; in the layouts the walk"},
        {{GLFW_KEY_RIGHT, false, true}, Action::both_forward, "", ""},
        {{GLFW_KEY_Z, true}, Action::undo, "Ctrl + Z", "undo"},
        {{GLFW_KEY_Y, true}, Action::redo, "Ctrl + Y", "redo"},
        {{GLFW_KEY_Z, true, true}, Action::redo, "", ""},
        {{GLFW_KEY_C, true}, Action::copy_command, "Ctrl + C", "copy the command for this figure"},
        {{GLFW_KEY_C, true, true},
         Action::copy_picture,
         "Ctrl + Shift + C",
         "copy the figure as a picture"},
        {{GLFW_KEY_E, true}, Action::export_figure, "Ctrl + E", "export this figure"},
        {{GLFW_KEY_O, true}, Action::model_menu, "Ctrl + O", "open a model, a file or a scene"},
        {{GLFW_KEY_S, true}, Action::save_scene, "Ctrl + S", "save the scene"},
        {{GLFW_KEY_F10}, Action::menu, "F10", "the menu: open, save, reset, present"},
        {{GLFW_KEY_F11}, Action::full_screen, "F11", "fill the screen, or leave it"},
        {{GLFW_KEY_F5}, Action::presenting, "F5", "present: the figure alone, enlarged"},
        {{GLFW_KEY_EQUAL, true}, Action::larger_type, "Ctrl + +", "larger type"},
        {{GLFW_KEY_EQUAL, true, true}, Action::larger_type, "", ""},
        {{GLFW_KEY_KP_ADD, true}, Action::larger_type, "", ""},
        {{GLFW_KEY_MINUS, true}, Action::smaller_type, "Ctrl + -", "smaller type"},
        {{GLFW_KEY_KP_SUBTRACT, true}, Action::smaller_type, "", ""},
        {{GLFW_KEY_0, true}, Action::usual_type, "Ctrl + 0", "type of the usual size"},
        {{GLFW_KEY_F, true},
         Action::find,
         "Ctrl + F",
         "find a control, a view or a command by its first letters"},
        {{GLFW_KEY_F6}, Action::next_region, "F6", "go to the next part of the window"},
        {{GLFW_KEY_F6, false, true},
         Action::previous_region,
         "Shift + F6",
         "go to the previous part"},
        {{GLFW_KEY_T}, Action::theme, "T", "dark, light, projector"},
        {{GLFW_KEY_E}, Action::explanation, "E", "fold or open the explanation"},
        {{GLFW_KEY_G}, Action::engine, "G", "compute on the CPU or the GPU"},
        {{GLFW_KEY_K, true}, Action::checks, "Ctrl + K", "run the checks"},
        {{GLFW_KEY_L}, Action::lessons, "L", "the list of lessons"},
        {{GLFW_KEY_F1}, Action::help, "? or F1", "this help"},
        {{GLFW_KEY_Q, true}, Action::quit, "Ctrl + Q", "quit"},
    });
    return kTable;
}

std::span<const LinkShortcut> link_shortcuts() {
    using Key = plot::Link::Key;
    static constexpr auto kTable = std::to_array<LinkShortcut>({
        {GLFW_KEY_UP, Key::up, "↑ ↓",
         "the system a of the layouts; k in the axes; the line of the checks"},
        {GLFW_KEY_DOWN, Key::down, "", ""},
        {GLFW_KEY_LEFT, Key::left, "← → in layouts, axes", "the system b; the patch k"},
        {GLFW_KEY_RIGHT, Key::right, "", ""},
        {GLFW_KEY_PAGE_UP, Key::page_up, "PgUp PgDn, wheel",
         "through the checks; the frame of the axes"},
        {GLFW_KEY_PAGE_DOWN, Key::page_down, "", ""},
        {GLFW_KEY_ENTER, Key::enter, "Enter", "open the figure that shows the check"},
        {GLFW_KEY_KP_ENTER, Key::enter, "", ""},
    });
    return kTable;
}

plot::Link::Key link_key(const KeyPress& press) {
    const auto table = link_shortcuts();
    const auto found = std::ranges::find(table, press.key, &LinkShortcut::key);
    return press.control || press.shift || found == table.end() ? plot::Link::Key::none
                                                                : found->link;
}

const figures::View* view_of_key(const KeyPress& press) {
    if (press.control || press.shift) {
        return nullptr;
    }
    const auto& views = figures::views();
    // GLFW's letters and digits are their characters.
    const auto found = std::ranges::find(views, press.key, &figures::View::key);
    return found == views.end() ? nullptr : &*found;
}

}  // namespace ropescope::gui
