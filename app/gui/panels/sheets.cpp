// Places and draws a sheet, its field and its refusal.
#include "app/gui/panels/sheets.h"

#include <algorithm>
#include <filesystem>
#include <imgui.h>

#include "app/gui/panels/lessons.h"
#include "app/gui/panels/panels.h"
#include "app/gui/state/actions.h"
#include "app/gui/state/keys.h"
#include "app/gui/state/scene_files.h"
#include "app/gui/toolkit/widgets.h"

namespace ropescope::gui {
namespace {

constexpr std::uint8_t kVeil = 90;  // dims what lies behind

}  // namespace

plot::Rect placed(const Ui& ui, double x, double y, double width, double height) {
    const ImVec2 all = ImGui::GetIO().DisplaySize;
    const double edge = ui.px(8);
    width = std::min(width, all.x - 2 * edge);
    height = std::min(height, all.y - edge - std::max(edge, y));
    return {std::clamp(x, edge, std::max(edge, all.x - edge - width)), std::max(edge, y), width,
            height};
}

plot::Rect centred(const Ui& ui, double width, double height) {
    const ImVec2 all = ImGui::GetIO().DisplaySize;
    return placed(ui, (all.x - width) / 2, std::max(0.0, (all.y - height) / 2.5), width, height);
}

void draw_sheet(Ui& ui, plot::Rect sheet, Veil veil) {
    const ImVec2 all = ImGui::GetIO().DisplaySize;
    if (veil == Veil::dims) {
        ui.painter().fill_rect({0, 0, all.x, all.y}, plot::rgb(0x000000, kVeil), 0);
    }
    ui.fill(sheet, plot::Role::panel, 8);
    ui.stroke(sheet, plot::Role::line, ui.theme.thin_px, 8);
    const ImVec2 mouse = ImGui::GetMousePos();
    if (ImGui::IsMouseClicked(0) && !sheet.contains({mouse.x, mouse.y})) {
        close_overlay(ui.state());
    }
}

namespace {

constexpr double kSheetAction = 84, kBeforeAction = 8;

plot::Rect field_of(const Ui& ui, plot::Rect row) {
    return {row.x, row.y, row.width - ui.px(kSheetAction + kBeforeAction), row.height};
}

bool draw_action(Ui& ui, plot::Rect row, std::string_view action) {
    const double act = ui.px(kSheetAction);
    return button(ui, action, {row.x + row.width - act, row.y, act, row.height}, action,
                  {.raised = true, .text = plot::Role::text});
}

}  // namespace

void draw_waiting_field(Ui& ui, plot::Rect row, std::string_view text, std::string_view action) {
    const plot::Rect box = field_of(ui, row);
    ui.fill(box, plot::Role::background, 6);
    ui.stroke(box, plot::Role::line, ui.theme.thin_px, 6);
    ui.text({box.x + ui.px(8), box.y, box.width - ui.px(16), box.height}, text,
            ui.mono(plot::Role::dim, ui.theme.caption_px));
    draw_action(ui, row, action);
}

bool draw_sheet_field(Ui& ui, plot::Rect row, std::string_view hint, std::string_view action) {
    const FieldResult result = text_field(ui, "field", field_of(ui, row), ui.state().edit, hint);
    const bool pressed = draw_action(ui, row, action);
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

// Asks before a file is replaced, and keeps what was refused for the user to correct.

namespace {

/// The folder in which a file of this name would be.
std::string folder_line(const std::string& typed) {
    std::error_code failed;
    const auto path = std::filesystem::absolute(without_tilde(typed), failed);
    return failed ? "" : "in " + path.lexically_normal().parent_path().string();
}

}  // namespace

void draw_sheet_path(Ui& ui, plot::Rect row, std::string_view hint, std::string_view action,
                     const std::function<bool(const std::string& path)>& write) {
    AppState& state = ui.state();
    const bool entered = draw_sheet_field(ui, row, hint, action);
    if (state.overlay == Overlay::none) {
        return;
    }
    ui.text({row.x, row.y + row.height + ui.px(4), row.width, ui.px(20)},
            folder_line(state.edit.text), ui.small(plot::Role::dim));
    draw_refusal(ui, {row.x, row.y + row.height + ui.px(28), row.width, ui.px(60)});
    if (!entered) {
        return;
    }
    if (!must_ask(state, state.edit.text) && write(state.edit.text)) {
        return close_overlay(state);
    }
    state.edit.just_opened = true;  // for the user to correct or to confirm
}

// Draws what opens over the window: the saving of a scene, the help, and the sheets of sheets.h.

namespace {

void draw_save_overlay(Ui& ui) {
    const plot::Rect sheet = centred(ui, ui.px(560), ui.px(190));
    draw_sheet(ui, sheet);
    const double x = sheet.x + ui.px(kSheetPad), inner = sheet.width - 2 * ui.px(kSheetPad);
    const double y = sheet.y + ui.px(16);
    ui.text({x, y, inner, ui.px(24)}, "Save this scene",
            ui.style(plot::Role::text, ui.theme.body_px, plot::Face::bold));
    draw_sheet_path(ui, {x, y + ui.px(40), inner, ui.px(kSheetField)}, "path of the file", "Save",
                    [&](const std::string& to) { return save_scene(ui.state(), to); });
}

constexpr double kHelp = 760, kHelpSide = 24, kHelpKeys = 190, kHelpGap = 12, kHelpLeading = 9;

/// The words of a row, in as many lines as its longer column needs; returns their height. Without
/// `draws` it is only measured.
double help_row(const Ui& ui, const HelpRow& entry, plot::Rect where, bool draws) {
    const plot::Rect keys{where.x, where.y, ui.px(kHelpKeys), where.height};
    const double from = ui.px(kHelpKeys + kHelpGap);
    const plot::Rect does{where.x + from, where.y, where.width - from, where.height};
    if (draws) {
        ui.paragraph(keys, entry.keys, ui.caption(plot::Role::text));
        ui.paragraph(does, entry.does, ui.caption(plot::Role::dim));
    }
    return std::max(ui.paragraph_height(keys.width, entry.keys, ui.caption(plot::Role::text)),
                    ui.paragraph_height(does.width, entry.does, ui.caption(plot::Role::dim))) +
           ui.px(kHelpLeading);
}

void draw_help_overlay(Ui& ui) {
    const std::vector<HelpRow> rows = help_rows();
    const double wide =
        std::min(ui.px(kHelp), ImGui::GetIO().DisplaySize.x - ui.px(16)) - ui.px(2 * kHelpSide);
    double all = 0;
    for (const HelpRow& entry : rows) {
        all += help_row(ui, entry, {0, 0, wide, 0}, false);
    }
    const plot::Rect sheet = centred(ui, ui.px(kHelp), all + ui.px(76));
    draw_sheet(ui, sheet);
    ui.text({sheet.x + ui.px(24), sheet.y + ui.px(16), sheet.width, ui.px(24)}, "Keys",
            ui.style(plot::Role::text, ui.theme.body_px, plot::Face::bold));
    const Surface surface(ui, "keys",
                          {sheet.x, sheet.y + ui.px(52), sheet.width, sheet.height - ui.px(60)},
                          Surface::Kind::child);
    plot::Rect line{surface.origin().x + ui.px(kHelpSide), surface.origin().y, wide, all};
    for (const HelpRow& entry : rows) {
        line.y += help_row(ui, entry, line, true);
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
        case Overlay::find:
            draw_open_sheet(ui);
            break;
        case Overlay::choices:
            draw_choice_sheet(ui);
            break;
        case Overlay::export_figure:
            draw_export_sheet(ui);
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
