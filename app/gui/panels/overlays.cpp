// Draws what opens over the window: the export and the help, and the sheets of sheets.h.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <imgui.h>

#include "app/gui/panels/panels.h"
#include "app/gui/panels/sheets.h"
#include "app/gui/state/actions.h"
#include "app/gui/toolkit/widgets.h"

namespace ropescope::gui {
namespace {

void draw_export_overlay(Ui& ui) {
    const plot::Rect sheet = centred(ui, ui.px(560), ui.px(226));
    draw_sheet(ui, sheet);
    const double x = sheet.x + ui.px(kSheetPad), inner = sheet.width - 2 * ui.px(kSheetPad);
    double y = sheet.y + ui.px(16);
    ui.text({x, y, inner, ui.px(24)}, "Export this figure",
            ui.style(plot::Role::text, ui.theme.body_px, plot::Face::bold));
    y += ui.px(34);
    static const std::array<std::string, 5> kFormats = {"svg", "png", "pdf", "csv", "txt"};
    std::filesystem::path path(ui.state().edit.text);
    const std::string ending = path.extension().string();
    const auto now = static_cast<std::size_t>(
        std::ranges::find(kFormats, ending.empty() ? ending : ending.substr(1)) - kFormats.begin());
    if (const auto chosen = segments(ui, "format", {x, y, inner, ui.px(32)}, kFormats, now)) {
        ui.state().edit.text = path.replace_extension(kFormats[*chosen]).string();
        ui.state().edit.just_opened = true;  // shows the new text
    }
    y += ui.px(44);
    if (draw_sheet_field(ui, {x, y, inner, ui.px(kSheetField)}, "path of the file", "Write")) {
        if (export_figure(ui.state(), ui.state().edit.text)) {
            close_overlay(ui.state());
            return;
        }
        ui.state().edit.just_opened = true;  // for the user to correct
    }
    y += ui.px(kSheetField + 10);
    draw_refusal(ui, {x, y, inner, ui.px(60)});
}

struct HelpRow {
    std::string keys, does;
};

/// The keys, from the tables that handle them; then what the mouse and the focus do.
std::vector<HelpRow> help_rows() {
    const auto& views = figures::views();
    std::vector<HelpRow> rows;
    std::string letters;
    for (int place = 10; place < std::ssize(views); ++place) {
        letters += fmt::format("; {}: {}", key_of_view(place), views[place].name);
    }
    const auto digits = static_cast<int>(std::min<std::size_t>(10, views.size()));
    rows.push_back(
        {fmt::format("1 … {}", key_of_view(digits - 1)), fmt::format("the views{}", letters)});
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
    add("← → on a slider", "move by one step; hold the key for many");
    add("click a value", "type a new one; Enter accepts it, Esc keeps the old one");
    add("click in the figure", "follow that pair in every view, open what is there");
    add("Esc", "close what is open");
    return rows;
}

void draw_help_overlay(Ui& ui) {
    const std::vector<HelpRow> rows = help_rows();
    const double row = ui.px(28);
    const plot::Rect sheet =
        centred(ui, ui.px(620), row * static_cast<double>(rows.size()) + ui.px(76));
    draw_sheet(ui, sheet);
    ui.text({sheet.x + ui.px(24), sheet.y + ui.px(16), sheet.width, ui.px(24)}, "Keys",
            ui.style(plot::Role::text, ui.theme.body_px, plot::Face::bold));
    const Surface surface(ui, "keys",
                          {sheet.x, sheet.y + ui.px(52), sheet.width, sheet.height - ui.px(60)},
                          Surface::Kind::child);
    plot::Rect line{surface.origin().x + ui.px(24), surface.origin().y, ui.px(160), row};
    for (const HelpRow& entry : rows) {
        ui.text(line, entry.keys, ui.caption(plot::Role::text));
        ui.text({line.x + ui.px(172), line.y, sheet.width - ui.px(172 + 48), row}, entry.does,
                ui.caption(plot::Role::dim));
        line.y += row;
    }
    surface.content_height(line.y - surface.origin().y);
}

}  // namespace

void draw_overlay(Ui& ui) {
    if (ui.state().overlay == Overlay::none) {
        return;
    }
    const ImVec2 all = ImGui::GetIO().DisplaySize;
    const Surface surface(ui, "overlay", {0, 0, all.x, all.y}, Surface::Kind::overlay);
    switch (ui.state().overlay) {
        case Overlay::models:
            draw_open_sheet(ui);
            break;
        case Overlay::choices:
            draw_choice_sheet(ui);
            break;
        case Overlay::export_figure:
            draw_export_overlay(ui);
            break;
        case Overlay::help:
            draw_help_overlay(ui);
            break;
        case Overlay::none:
            break;
    }
    surface.content_height(1);
}

}  // namespace ropescope::gui
