// Draws what opens over the window: the export and the help, and the sheets of sheets.h.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <imgui.h>

#include "app/gui/panels/lessons.h"
#include "app/gui/panels/panels.h"
#include "app/gui/panels/sheets.h"
#include "app/gui/state/actions.h"
#include "app/gui/state/help_rows.h"
#include "app/gui/state/home_path.h"
#include "app/gui/state/scene_files.h"
#include "app/gui/toolkit/widgets.h"

namespace ropescope::gui {
namespace {

/// A name, and choices side by side beside it.
template <std::size_t N>
std::optional<std::size_t> named_segments(Ui& ui, plot::Rect row, std::string_view name,
                                          const std::array<std::string, N>& labels,
                                          std::size_t current) {
    const double from = ui.px(110);
    ui.text({row.x, row.y, from, row.height}, name, ui.caption(plot::Role::dim));
    return segments(ui, name, {row.x + from, row.y, row.width - from, row.height}, labels, current);
}

/// Presets of size and scale; what is drawn by them is said in pixels.
void draw_export_settings(Ui& ui, plot::Rect row) {
    ExportSettings& to = ui.state().exporting;
    const double step = ui.px(40);
    static const std::array<std::string, 4> kThemes = {"window's", "light", "dark", "projector"};
    const auto theme = std::ranges::find(kThemes, to.theme.empty() ? kThemes[0] : to.theme);
    if (const auto chosen = named_segments(ui, row, "theme", kThemes, theme - kThemes.begin())) {
        to.theme = *chosen == 0 ? "" : kThemes[*chosen];
    }
    row.y += step;
    static const std::array<std::string, 4> kSizes = {"800x600", "1200x800", "1600x900",
                                                      "1600x1000"};
    const auto size = std::ranges::find(kSizes, to.size);
    if (const auto chosen = named_segments(ui, row, "size", kSizes, size - kSizes.begin())) {
        to.size = kSizes[*chosen];
    }
    row.y += step;
    static const std::array<std::string, 4> kScales = {"1", "2", "3", "4"};
    const auto scale = static_cast<std::size_t>(std::max(0.0, std::round(to.scale) - 1));
    if (const auto chosen = named_segments(ui, row, "scale (PNG)", kScales, scale)) {
        to.scale = static_cast<double>(*chosen) + 1;
    }
    row.y += step;
    static const std::array<std::string, 3> kGrounds = {"theme", "white", "transparent"};
    if (const auto chosen =
            named_segments(ui, row, "background", kGrounds, static_cast<std::size_t>(to.ground))) {
        to.ground = static_cast<plot::Ground>(*chosen);
    }
    row.y += step;
    static const std::array<std::string, 2> kTitles = {"with", "without"};
    if (const auto chosen = named_segments(ui, row, "title", kTitles, to.title ? 0 : 1)) {
        to.title = *chosen == 0;
    }
}

/// The folder in which a file of this name would be.
std::string folder_line(const std::string& typed) {
    std::error_code failed;
    const auto path = std::filesystem::absolute(without_tilde(typed), failed);
    return failed ? "" : "in " + path.lexically_normal().parent_path().string();
}

/// The field of a path, what is said about it, and the question before a file is replaced.
/// `write` does what the button says. Returns whether it did.
template <typename Write>
bool draw_path(Ui& ui, plot::Rect row, std::string_view hint, std::string_view action,
               const Write& write) {
    AppState& state = ui.state();
    const bool entered = draw_sheet_field(ui, row, hint, action);
    if (state.overlay == Overlay::none) {
        return false;
    }
    ui.text({row.x, row.y + row.height + ui.px(4), row.width, ui.px(20)},
            folder_line(state.edit.text), ui.small(plot::Role::dim));
    draw_refusal(ui, {row.x, row.y + row.height + ui.px(28), row.width, ui.px(60)});
    if (!entered) {
        return false;
    }
    if (!must_ask(state, state.edit.text) && write(state.edit.text)) {
        close_overlay(state);
        return true;
    }
    state.edit.just_opened = true;  // for the user to correct or to confirm
    return false;
}

void draw_export_overlay(Ui& ui) {
    const plot::Rect sheet = centred(ui, ui.px(560), ui.px(470));
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
    if (const auto chosen = named_segments(ui, {x, y, inner, ui.px(32)}, "format", kFormats, now)) {
        ui.state().edit.text = path.replace_extension(kFormats[*chosen]).string();
        ui.state().edit.just_opened = true;  // shows the new text
    }
    y += ui.px(40);
    draw_export_settings(ui, {x, y, inner, ui.px(32)});
    y += ui.px(5 * 40 + 8);
    draw_path(ui, {x, y, inner, ui.px(kSheetField)}, "path of the file", "Save",
              [&](const std::string& to) { return export_figure(ui.state(), to); });
}

void draw_save_overlay(Ui& ui) {
    const plot::Rect sheet = centred(ui, ui.px(560), ui.px(190));
    draw_sheet(ui, sheet);
    const double x = sheet.x + ui.px(kSheetPad), inner = sheet.width - 2 * ui.px(kSheetPad);
    const double y = sheet.y + ui.px(16);
    ui.text({x, y, inner, ui.px(24)}, "Save this scene",
            ui.style(plot::Role::text, ui.theme.body_px, plot::Face::bold));
    draw_path(ui, {x, y + ui.px(40), inner, ui.px(kSheetField)}, "path of the file", "Save",
              [&](const std::string& to) { return save_scene(ui.state(), to); });
}

void draw_help_overlay(Ui& ui) {
    const std::vector<HelpRow> rows = help_rows();
    const double row = ui.px(28);
    const plot::Rect sheet =
        centred(ui, ui.px(760), row * static_cast<double>(rows.size()) + ui.px(76));
    draw_sheet(ui, sheet);
    ui.text({sheet.x + ui.px(24), sheet.y + ui.px(16), sheet.width, ui.px(24)}, "Keys",
            ui.style(plot::Role::text, ui.theme.body_px, plot::Face::bold));
    const Surface surface(ui, "keys",
                          {sheet.x, sheet.y + ui.px(52), sheet.width, sheet.height - ui.px(60)},
                          Surface::Kind::child);
    plot::Rect line{surface.origin().x + ui.px(24), surface.origin().y, ui.px(190), row};
    for (const HelpRow& entry : rows) {
        ui.text(line, entry.keys, ui.caption(plot::Role::text));
        ui.text({line.x + ui.px(202), line.y, sheet.width - ui.px(202 + 48), row}, entry.does,
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
        case Overlay::menu:
            draw_menu_sheet(ui);
            break;
        case Overlay::save_scene:
            draw_save_overlay(ui);
            break;
        case Overlay::lessons:
            draw_lessons_overlay(ui);
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
