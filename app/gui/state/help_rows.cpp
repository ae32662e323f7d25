// Makes the help from the tables of shortcuts.
#include "app/gui/state/help_rows.h"

#include <algorithm>
#include <fmt/format.h>
#include <ranges>

#include "app/figures/view.h"
#include "app/gui/state/keys.h"

namespace ropescope::gui {

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
