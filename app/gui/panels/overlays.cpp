// Draws what opens over the window: the list of models, the export, and the help.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <imgui.h>

#include "app/gui/panels/panels.h"
#include "app/gui/state/actions.h"
#include "app/gui/state/model_menu.h"
#include "app/gui/toolkit/widgets.h"

namespace ropescope::gui {
namespace {

constexpr double kPad = 20, kRow = 38, kField = 34;
constexpr std::uint8_t kVeil = 90;  // dims what lies behind
constexpr double kMostRows = 14.5;  // half a row says that there is more

/// The rectangle, moved and cut so that it lies inside the window.
plot::Rect placed(const Ui& ui, double x, double y, double width, double height) {
    const ImVec2 all = ImGui::GetIO().DisplaySize;
    const double edge = ui.px(8);
    width = std::min(width, all.x - 2 * edge);
    height = std::min(height, all.y - edge - std::max(edge, y));
    return {std::clamp(x, edge, all.x - edge - width), std::max(edge, y), width, height};
}

plot::Rect centred(const Ui& ui, double width, double height) {
    const ImVec2 all = ImGui::GetIO().DisplaySize;
    return placed(ui, (all.x - width) / 2, std::max(0.0, (all.y - height) / 2.5), width, height);
}

/// Draws the sheet; a click beside it closes the overlay.
void draw_sheet(Ui& ui, plot::Rect sheet) {
    const ImVec2 all = ImGui::GetIO().DisplaySize;
    ui.painter().fill_rect({0, 0, all.x, all.y}, plot::rgb(0x000000, kVeil), 0);
    ui.fill(sheet, plot::Role::panel, 8);
    ui.stroke(sheet, plot::Role::line, ui.theme.thin_px, 8);
    const ImVec2 mouse = ImGui::GetMousePos();
    if (ImGui::IsMouseClicked(0) && !sheet.contains({mouse.x, mouse.y})) {
        close_overlay(ui.state());
    }
}

/// Draws a field with a button at its end. Returns true when the user has entered the text.
bool draw_field(Ui& ui, plot::Rect row, std::string_view hint, std::string_view action) {
    const double act = ui.px(84);
    const FieldResult result = text_field(
        ui, "field", {row.x, row.y, row.width - act - ui.px(8), row.height}, ui.state().edit, hint);
    const bool pressed = button(ui, action, {row.x + row.width - act, row.y, act, row.height},
                                action, {.raised = true, .text = plot::Role::text});
    if (result == FieldResult::cancelled) {
        close_overlay(ui.state());
        return false;
    }
    return pressed || result == FieldResult::accepted;
}

void draw_refusal(const Ui& ui, plot::Rect where) {
    if (ui.state().error.empty()) {
        return;
    }
    const double used =
        ui.paragraph({where.x + ui.px(12), where.y, where.width - ui.px(12), where.height},
                     ui.state().error, ui.caption(plot::Role::text));
    ui.fill({where.x, where.y, ui.px(3), used}, plot::Role::wrong, 1);
}

void draw_model_row(Ui& ui, plot::Rect row, const ModelEntry& model) {
    const bool selected = is_shown(model, ui.state().scene);
    const Touch touch = ui.touch(model.id, row);
    if (selected || touch.hovered) {
        ui.fill(row, selected ? plot::Role::selected : plot::Role::raised, 6);
    }
    if (touch.focused) {
        focus_ring(
            ui, {row.x + ui.px(4), row.y + ui.px(4), row.width - ui.px(8), row.height - ui.px(8)});
    }
    const double half = row.width * 0.36;
    ui.text({row.x + ui.px(12), row.y, half - ui.px(16), row.height}, model.title,
            ui.body(plot::Role::text));
    ui.text({row.x + half, row.y, row.width - half - ui.px(12), row.height}, model.facts,
            ui.caption(plot::Role::dim));
    if (touch.clicked && choose_model(ui.state(), model.id)) {
        close_overlay(ui.state());
    }
}

void draw_models_overlay(Ui& ui) {
    const auto& models = model_menu();
    const plot::Rect button = model_button(ui);
    const double rows = ui.px(kRow) * std::min(kMostRows, static_cast<double>(models.size()));
    const double below = ui.px(kPad + 24 + kField + 72);
    const double width = ui.px(600);
    const plot::Rect sheet =
        placed(ui, button.x + (button.width - width) / 2, button.y + button.height + ui.px(8),
               width, rows + below + ui.px(kPad));
    draw_sheet(ui, sheet);
    const double inner = sheet.width - 2 * ui.px(kPad);
    const plot::Rect list{sheet.x + ui.px(8), sheet.y + ui.px(12), sheet.width - ui.px(16),
                          sheet.height - below - ui.px(12)};
    {
        const Surface surface(ui, "models", list, Surface::Kind::child);
        double y = surface.origin().y;
        for (const ModelEntry& model : models) {
            draw_model_row(ui, {surface.origin().x, y, list.width, ui.px(kRow)}, model);
            y += ui.px(kRow);
        }
        surface.content_height(y - surface.origin().y);
    }
    if (ui.state().overlay != Overlay::models) {
        return;
    }
    double y = list.y + list.height + ui.px(8);
    ui.rule({sheet.x, y}, sheet.width, false);
    y += ui.px(10);
    ui.text({sheet.x + ui.px(kPad), y, inner, ui.px(20)},
            "Open a Hugging Face config.json, or the folder that contains it",
            ui.caption(plot::Role::dim));
    y += ui.px(26);
    if (draw_field(ui, {sheet.x + ui.px(kPad), y, inner, ui.px(kField)}, "path of a config.json",
                   "Open")) {
        if (choose_model(ui.state(), ui.state().edit.text)) {
            close_overlay(ui.state());
            return;
        }
        ui.state().edit.just_opened = true;  // for the user to correct
    }
    y += ui.px(kField + 10);
    draw_refusal(ui, {sheet.x + ui.px(kPad), y, inner, ui.px(52)});
}

void draw_export_overlay(Ui& ui) {
    const plot::Rect sheet = centred(ui, ui.px(560), ui.px(226));
    draw_sheet(ui, sheet);
    const double x = sheet.x + ui.px(kPad), inner = sheet.width - 2 * ui.px(kPad);
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
    if (draw_field(ui, {x, y, inner, ui.px(kField)}, "path of the file", "Write")) {
        if (export_figure(ui.state(), ui.state().edit.text)) {
            close_overlay(ui.state());
            return;
        }
        ui.state().edit.just_opened = true;  // for the user to correct
    }
    y += ui.px(kField + 10);
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
            draw_models_overlay(ui);
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
