// Places and draws a list, and moves through it with the keyboard.
#include "app/gui/panels/list_sheet.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <algorithm>
#include <imgui.h>
#include <utility>

#include "app/gui/panels/glossed_text.h"
#include "app/gui/panels/sheets.h"
#include "app/gui/state/actions.h"
#include "app/gui/state/menus.h"
#include "app/gui/state/model_menu.h"
#include "app/gui/toolkit/widgets.h"
#include "app/scene/values.h"

namespace ropescope::gui {
namespace {

constexpr double kListRow = 30, kEdge = 6, kListInset = 12, kListGap = 24, kWidest = 560;

plot::Rect sheet_for(const Ui& ui, plot::Rect control, const std::vector<ListRow>& rows) {
    double width = control.width;
    for (const ListRow& row : rows) {
        width = std::max(width, ui.width(row.name, ui.body(plot::Role::text)) +
                                    ui.width(row.detail, ui.small(plot::Role::dim)) +
                                    ui.px(2 * kEdge + 2 * kListInset + kListGap));
    }
    width = std::min(width, ui.px(kWidest));
    const double bottom = ImGui::GetIO().DisplaySize.y - ui.px(8);
    const double height = std::min(
        ui.px(kListRow) * static_cast<double>(rows.size()) + ui.px(2 * kEdge), bottom - ui.px(8));
    const double under = control.y + control.height + ui.px(4);
    return placed(ui, control.x + control.width - width, std::min(under, bottom - height), width,
                  height);
}

/// Moves the focus to the next row whose name begins with a letter that was pressed.
void go_to_letter(Ui& ui, const std::vector<ListRow>& rows, const std::vector<std::uint32_t>& ids) {
    FocusRing& focus = ui.state().focus;
    for (int letter = GLFW_KEY_A; letter <= GLFW_KEY_Z; ++letter) {
        if (!ui.take({letter})) {
            continue;
        }
        const auto now =
            static_cast<std::size_t>(std::ranges::find(ids, focus.current()) - ids.begin());
        for (std::size_t i = 1; i <= rows.size(); ++i) {
            const std::size_t at = (now + i) % rows.size();
            const char first = rows[at].name.empty() ? '\0' : rows[at].name.front();
            if (!rows[at].heading && (first == letter || first == letter - 'A' + 'a')) {
                return focus.go_to(ids[at]);
            }
        }
    }
}

Touch draw_row(Ui& ui, plot::Rect where, const ListRow& row) {
    const double inset = ui.px(kListInset);
    if (row.heading) {
        ui.text(
            {where.x + ui.px(4), where.y + ui.px(6), where.width - inset, where.height - ui.px(6)},
            row.name, ui.small(plot::Role::dim));
        return {};
    }
    const Touch touch =
        ui.touch(row.id, where, row.enabled ? PressKeys::enter_and_space : PressKeys::none);
    if (row.current || (touch.hovered && row.enabled)) {
        ui.fill(where, row.current ? plot::Role::selected : plot::Role::raised, 4);
    }
    if (row.current) {
        ui.fill({where.x, where.y + ui.px(4), ui.px(3), where.height - ui.px(8)},
                plot::Role::accent, 1);
    }
    const double used =
        ui.text({where.x + inset, where.y, where.width - 2 * inset, where.height}, row.name,
                ui.body(row.enabled ? plot::Role::text : plot::Role::faint));
    ui.text({where.x + 2 * inset + used, where.y, where.width - 3 * inset - used, where.height},
            row.detail, ui.small(row.enabled ? plot::Role::dim : plot::Role::faint), 1);
    if (touch.hovered && row.explained) {
        explain_name(ui, row.name);
    }
    if (touch.focused) {
        focus_ring(ui, {where.x + ui.px(4), where.y + ui.px(4), where.width - ui.px(8),
                        where.height - ui.px(8)});
    }
    return touch;
}

}  // namespace

std::optional<std::size_t> draw_list_sheet(Ui& ui, plot::Rect below,
                                           const std::vector<ListRow>& rows, bool just_opened) {
    const plot::Rect sheet = sheet_for(ui, below, rows);
    draw_sheet(ui, sheet, Veil::none);
    const double edge = ui.px(kEdge);
    const Surface surface(
        ui, "list",
        {sheet.x + edge, sheet.y + edge, sheet.width - 2 * edge, sheet.height - 2 * edge},
        Surface::Kind::child);
    plot::Rect where{surface.origin().x, surface.origin().y, sheet.width - 2 * edge,
                     ui.px(kListRow)};
    std::vector<std::uint32_t> ids, walked;
    std::optional<std::size_t> chosen;
    const bool any_current = std::ranges::any_of(rows, &ListRow::current);
    for (const ListRow& row : rows) {
        const Touch touch = draw_row(ui, where, row);
        if (touch.clicked && row.enabled) {
            chosen = ids.size();
        }
        if (just_opened && (row.current || (!any_current && ids.empty()))) {
            ui.state().focus.go_to(touch.id);
        }
        ids.push_back(touch.id);
        walked.push_back(row.enabled && !row.heading ? touch.id : 0);
        where.y += where.height;
    }
    surface.content_height(where.y - surface.origin().y);
    go_to_letter(ui, rows, ids);
    walk_list(ui, walked, static_cast<int>(sheet.height / where.height) - 1);
    return chosen;
}

// Draws the list of a parameter's values under its control, and menus.

void draw_choice_sheet(Ui& ui) {
    AppState& state = ui.state();
    const Parameter* parameter = find_parameter(state.choices.parameter);
    const std::vector<std::string> values =
        parameter == nullptr ? std::vector<std::string>{} : listed_values(state.scene, *parameter);
    if (values.empty()) {
        return close_overlay(state);
    }
    const std::string now = parameter_text(state.scene, *parameter);
    std::vector<ListRow> rows;
    std::vector<std::string> value_of;  // of each row
    std::string_view group;
    for (const std::string& value : values) {
        if (const auto own = choice_group(*parameter, value); own != std::exchange(group, own)) {
            rows.push_back({.id = "", .name = std::string(own), .heading = true});
            value_of.emplace_back();
        }
        const std::string name = choice_name(*parameter, value);
        rows.push_back({.id = "choice " + value,
                        .name = name,
                        .detail = name == value ? "" : value,
                        .current = value == now,
                        .explained = true});
        value_of.push_back(value);
    }
    const auto chosen = draw_list_sheet(ui, state.choices.below, rows,
                                        std::exchange(state.choices.just_opened, false));
    if (chosen) {
        close_overlay(state);
        set_value(state, parameter->name, value_of[*chosen]);
    }
}

void draw_menu_sheet(Ui& ui) {
    AppState& state = ui.state();
    const std::string parameter = state.choices.parameter;
    const std::vector<MenuItem> items =
        parameter.empty() ? window_menu(state) : parameter_menu(state, parameter);
    std::vector<ListRow> rows;
    for (const MenuItem& item : items) {
        rows.push_back({.id = "menu " + item.name,
                        .name = item.name,
                        .detail = item.detail,
                        .enabled = item.enabled});
    }
    // A menu that a key opened begins at its first row.
    const bool by_key =
        std::exchange(state.choices.just_opened, false) && state.choices.opener != 0;
    if (const auto chosen = draw_list_sheet(ui, state.choices.below, rows, by_key)) {
        close_overlay(state);
        perform_item(state, items[*chosen], parameter);
    }
}

}  // namespace ropescope::gui
