// Draws the field and the list with which models and files are found and opened, and controls gone
// to.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <algorithm>
#include <filesystem>

#include "app/gui/panels/panels.h"
#include "app/gui/panels/sheets.h"
#include "app/gui/state/actions.h"
#include "app/gui/state/finder.h"
#include "app/gui/state/model_menu.h"
#include "app/gui/state/scene_files.h"
#include "app/gui/toolkit/widgets.h"

namespace ropescope::gui {
namespace {

constexpr double kOpenRow = 34, kOpenHeading = 30, kMostHeight = 560, kOpenWidth = 600;

bool is_current(const OpenEntry& entry, const Scene& scene) {
    const auto model = std::ranges::find(model_menu(), entry.target, &ModelEntry::id);
    return entry.kind == OpenEntry::Kind::model && model != model_menu().end() &&
           is_shown(*model, scene);
}

double height_of(const Ui& ui, const OpenEntry& entry) {
    return ui.px(entry.kind == OpenEntry::Kind::heading ? kOpenHeading : kOpenRow);
}

/// Returns whether the row was clicked.
bool draw_entry(Ui& ui, plot::Rect row, const OpenEntry& entry, bool chosen, bool recent) {
    const plot::Rect inner{row.x + ui.px(12), row.y, row.width - ui.px(24), row.height};
    if (!entry.can_be_chosen()) {
        const bool heading = entry.kind == OpenEntry::Kind::heading;
        const std::string text =
            heading && !looks_like_path(entry.text) ? upper_case(entry.text) : entry.text;
        ui.text({inner.x, inner.y + (heading ? ui.px(4) : 0), inner.width, inner.height}, text,
                heading ? ui.small(plot::Role::dim) : ui.caption(plot::Role::text));
        return false;
    }
    const Touch touch = ui.touch((recent ? "recent " : "") + entry.target, row);
    const bool current = is_current(entry, ui.state().scene);
    if (current || chosen || touch.hovered) {
        ui.fill(row, current ? plot::Role::selected : plot::Role::raised, 6);
    }
    if (touch.focused || chosen) {
        focus_ring(
            ui, {row.x + ui.px(4), row.y + ui.px(4), row.width - ui.px(8), row.height - ui.px(8)});
    }
    const bool model = entry.kind == OpenEntry::Kind::model;
    const double half = entry.detail.empty() ? inner.width : inner.width * (model ? 0.38 : 0.55);
    ui.text({inner.x, row.y, half - ui.px(8), row.height}, entry.text, ui.body(plot::Role::text));
    if (!entry.detail.empty()) {
        ui.text({inner.x + half, row.y, inner.width - half, row.height}, entry.detail,
                ui.caption(plot::Role::dim));
    }
    return touch.clicked;
}

/// Returns the entry that was clicked, or null.
const OpenEntry* draw_entries(Ui& ui, plot::Rect list, bool moved) {
    const OpenMenu& menu = ui.state().open_menu;
    const Surface surface(ui, "models", list, Surface::Kind::child);
    const OpenEntry* clicked = nullptr;
    bool recent = false;
    plot::Rect row{surface.origin().x, surface.origin().y, list.width, 0};
    for (const OpenEntry& entry : menu.entries) {
        row.height = height_of(ui, entry);
        const bool chosen = &entry == menu.current();
        if (entry.kind == OpenEntry::Kind::heading) {
            recent = entry.text == "Recent";
        }
        if (draw_entry(ui, row, entry, chosen, recent)) {
            clicked = &entry;
        }
        if (chosen && moved && (row.y < list.y || row.y + row.height > list.y + list.height)) {
            surface.scroll_to(row.y + row.height / 2 - surface.origin().y);
        }
        row.y += row.height;
    }
    surface.content_height(row.y - surface.origin().y);
    return clicked;
}

/// Makes the list of what was typed: of things to open, or of things to go to.
void list_typed(AppState& state) {
    const std::string& typed = state.edit.text;
    state.open_menu.update(typed, [&] {
        return state.overlay == Overlay::find
                   ? find_entries(state, typed)
                   : open_entries(typed, state.recent, state.chooses_files);
    });
}

/// The one entry that can be chosen, for letters that nothing else begins with; null if there are
/// more.
const OpenEntry* only_match(const OpenMenu& menu) {
    const auto can = [](const OpenEntry& entry) { return entry.can_be_chosen(); };
    return std::ranges::count_if(menu.entries, can) == 1 ? &*std::ranges::find_if(menu.entries, can)
                                                         : nullptr;
}

/// Opens what the user has chosen, or else the path that was typed. A refused text stays for the
/// user to correct.
void open_chosen(AppState& state, const OpenEntry* entry) {
    if (state.overlay == Overlay::find) {
        if (entry != nullptr) {
            go_to_found(state, OpenEntry(*entry));
        }
        return;
    }
    const std::string typed = state.edit.text;
    std::error_code unknown;  // of a name that is too long
    if (entry == nullptr && !std::filesystem::exists(without_tilde(typed), unknown)) {
        entry = only_match(state.open_menu);
    }
    const bool opened = entry != nullptr ? open_entry(state, OpenEntry(*entry))
                                         : !typed.empty() && open_file(state, typed);
    if (opened) {
        close_overlay(state);
    } else {
        state.edit.just_opened = true;
    }
}

}  // namespace

void draw_open_sheet(Ui& ui) {
    AppState& state = ui.state();
    const bool finds = state.overlay == Overlay::find;
    list_typed(state);
    const plot::Rect under = model_button(ui);
    const double pad = ui.px(kSheetPad), width = ui.px(kOpenWidth);
    const double refusal = state.error.empty() ? 0 : ui.px(62);
    const double around = ui.px(16 + kSheetField + 10 + 12) + refusal;
    double rows = 0;
    for (const OpenEntry& entry : state.open_menu.entries) {
        rows += height_of(ui, entry);
    }
    const plot::Rect sheet =
        placed(ui, under.x + (under.width - width) / 2, under.y + under.height + ui.px(8), width,
               std::min(rows, ui.px(kMostHeight)) + around);
    draw_sheet(ui, sheet);
    const double inner = sheet.width - 2 * pad;
    double y = sheet.y + ui.px(16);
    const bool entered =
        draw_sheet_field(ui, {sheet.x + pad, y, inner, ui.px(kSheetField)},
                         finds                 ? "first letters of a control, a view or a command"
                         : state.chooses_files ? "name of a model"
                                               : "name of a model, or a path: /, ~/ or ./",
                         finds ? "Go" : "Open");
    if (state.overlay != Overlay::models && state.overlay != Overlay::find) {
        return;
    }
    list_typed(state);  // of what was typed in this frame
    y += ui.px(kSheetField + 10);
    if (refusal > 0) {
        draw_refusal(ui, {sheet.x + pad, y, inner, refusal});
        y += refusal;
    }
    const plot::Rect list{sheet.x + ui.px(8), y, sheet.width - ui.px(16),
                          std::max(1.0, sheet.y + sheet.height - y - ui.px(12))};
    // Home and End are the field's: they move its caret.
    const int page = std::max(1, static_cast<int>(list.height / ui.px(kOpenRow)) - 1);
    const int by = ui.take({GLFW_KEY_DOWN})        ? 1
                   : ui.take({GLFW_KEY_UP})        ? -1
                   : ui.take({GLFW_KEY_PAGE_DOWN}) ? page
                   : ui.take({GLFW_KEY_PAGE_UP})   ? -page
                                                   : 0;
    state.open_menu.move(by);
    const OpenEntry* clicked = draw_entries(ui, list, by != 0);
    if (clicked != nullptr || entered) {
        open_chosen(state, clicked != nullptr ? clicked : state.open_menu.current());
    }
}

}  // namespace ropescope::gui
