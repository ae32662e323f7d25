// The tables of shortcuts, and what a key press finds in them.
#include "app/gui/state/keys.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <ranges>
#include <utility>

#include "app/figures/view.h"

namespace ropescope::gui {
namespace {

#ifdef __EMSCRIPTEN__
constexpr const char* kPresentKeys = "F8";  // F5 is the browser's
#else
constexpr const char* kPresentKeys = "F5 or F8";
#endif

}  // namespace

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
        {{GLFW_KEY_F8}, Action::presenting, kPresentKeys, "present: the main panels, enlarged"},
        {{GLFW_KEY_F5}, Action::presenting, "", ""},
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

// Makes the help from the tables of shortcuts.

std::vector<HelpRow> help_rows() {
    const auto& views = figures::views();
    std::vector<HelpRow> rows;
    std::string letters;
    for (const figures::View& view : views | std::views::drop(10)) {
        letters += fmt::format("; {}: {}", view.key, view.name);
    }
    const auto last_digit = std::min<std::size_t>(10, views.size()) - 1;
    rows.push_back(
        {fmt::format("1 … {}", views[last_digit].key), fmt::format("the views{}", letters)});
    const auto add = [&](std::string_view keys, std::string_view does) {
        if (!does.empty()) {
            rows.push_back({std::string(keys), std::string(does)});
        }
    };
    for (const Shortcut& shortcut : shortcuts()) {
        add(shortcut.keys, shortcut.does);
    }
    for (const LinkShortcut& shortcut : link_shortcuts()) {
        add(shortcut.keys, shortcut.does);
    }
    add("Tab", "go to the next control; Shift + Tab: to the previous one");
    add("← → on a slider", "move by one step; hold the key for many; Space plays the slider");
    add("Home End PgUp PgDn in a list", "go to its first or last row, or a page on; arrows: a row");
    add("Enter on the figure",
        "go into it: arrows move a cursor, with Shift further, PgUp and PgDn go from panel to "
        "panel, "
        "Enter clicks, Esc leaves");
    add("click a value", "type a new one; Enter accepts it, Esc keeps the old one");
    add("double click a name", "reset the control; right click: reset, copy, play");
    add("click in the figure", "follow that pair in every view, open what is there");
    add("wheel over a plot", "zoom at the mouse; beside an axis: along that axis");
    add("drag in a plot", "move what it shows; where dragging sets a value: the right button");
    add("double click in a plot", "show all of it again");
    add("click a line's name", "hide the line, or show it again");
    add("Esc", "close what is open, end a presentation, leave a lesson");
    return rows;
}

std::string help_markdown() {
    std::string text = "| key | does |\n|---|---|\n";
    for (const HelpRow& row : help_rows()) {
        text += fmt::format("| {} | {} |\n", row.keys, row.does);
    }
    return text;
}

}  // namespace ropescope::gui
