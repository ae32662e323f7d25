// Draws what opens over the window: the saving of a scene, the help, and the sheets of sheets.h.
#include <algorithm>
#include <imgui.h>

#include "app/gui/panels/lessons.h"
#include "app/gui/panels/panels.h"
#include "app/gui/panels/sheets.h"
#include "app/gui/state/actions.h"
#include "app/gui/state/keys.h"
#include "app/gui/state/scene_files.h"
#include "app/gui/toolkit/widgets.h"

namespace ropescope::gui {
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
