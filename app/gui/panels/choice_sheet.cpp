// Draws the list of a parameter's values under its control, and menus.
#include <utility>

#include "app/gui/panels/list_sheet.h"
#include "app/gui/panels/sheets.h"
#include "app/gui/state/actions.h"
#include "app/gui/state/choice_names.h"
#include "app/gui/state/menus.h"
#include "app/scene/values.h"

namespace ropescope::gui {

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
    for (const std::string& value : values) {
        const std::string name = choice_name(*parameter, value);
        rows.push_back({.id = "choice " + value,
                        .name = name,
                        .detail = name == value ? "" : value,
                        .current = value == now});
    }
    const auto chosen = draw_list_sheet(ui, state.choices.below, rows,
                                        std::exchange(state.choices.just_opened, false));
    if (chosen) {
        close_overlay(state);
        set_value(state, parameter->name, values[*chosen]);
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
