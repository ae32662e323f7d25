// Draws the list of a parameter's values under its control.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <algorithm>
#include <imgui.h>

#include "app/gui/panels/sheets.h"
#include "app/gui/state/actions.h"
#include "app/gui/state/choice_names.h"
#include "app/gui/toolkit/widgets.h"
#include "app/scene/values.h"

namespace ropescope::gui {
namespace {

constexpr double kRow = 30, kEdge = 6, kInset = 12, kGap = 24, kWidest = 560;

struct Choice {
    std::string value, name;
};

std::vector<Choice> choices_of(const Scene& scene, const Parameter& parameter) {
    std::vector<Choice> choices;
    for (const std::string& value : listed_values(scene, parameter)) {
        choices.push_back({value, choice_name(parameter, value)});
    }
    return choices;
}

/// Under the control if there is room for the list, else over the control, at its right end.
plot::Rect sheet_for(const Ui& ui, const std::vector<Choice>& choices) {
    const plot::Rect& control = ui.state().choices.below;
    double width = control.width;
    for (const Choice& choice : choices) {
        width = std::max(width, ui.width(choice.name, ui.body(plot::Role::text)) +
                                    ui.width(choice.value, ui.small(plot::Role::dim)) +
                                    ui.px(2 * kEdge + 2 * kInset + kGap));
    }
    width = std::min(width, ui.px(kWidest));
    const double bottom = ImGui::GetIO().DisplaySize.y - ui.px(8);
    const double height = std::min(
        ui.px(kRow) * static_cast<double>(choices.size()) + ui.px(2 * kEdge), bottom - ui.px(8));
    const double under = control.y + control.height + ui.px(4);
    return placed(ui, control.x + control.width - width, std::min(under, bottom - height), width,
                  height);
}

/// Moves the focus to the next row whose name begins with a letter that was pressed.
void go_to_letter(Ui& ui, const std::vector<Choice>& choices,
                  const std::vector<std::uint32_t>& rows) {
    FocusRing& focus = ui.state().focus;
    for (int letter = GLFW_KEY_A; letter <= GLFW_KEY_Z; ++letter) {
        if (!ui.take({letter})) {
            continue;
        }
        const auto now =
            static_cast<std::size_t>(std::ranges::find(rows, focus.current()) - rows.begin());
        for (std::size_t i = 1; i <= choices.size(); ++i) {
            const std::size_t at = (now + i) % choices.size();
            const char first = choices[at].name.empty() ? '\0' : choices[at].name.front();
            if (first == letter || first == letter - 'A' + 'a') {
                return focus.go_to(rows[at]);
            }
        }
    }
}

}  // namespace

void draw_choice_sheet(Ui& ui) {
    AppState& state = ui.state();
    const Parameter* parameter = find_parameter(state.choices.parameter);
    const std::vector<Choice> choices =
        parameter == nullptr ? std::vector<Choice>{} : choices_of(state.scene, *parameter);
    if (choices.empty()) {
        return close_overlay(state);
    }
    const plot::Rect sheet = sheet_for(ui, choices);
    draw_sheet(ui, sheet, Veil::none);
    const std::string now = parameter_text(state.scene, *parameter);
    const double edge = ui.px(kEdge), inset = ui.px(kInset);
    const Surface surface(
        ui, "choices",
        {sheet.x + edge, sheet.y + edge, sheet.width - 2 * edge, sheet.height - 2 * edge},
        Surface::Kind::child);
    plot::Rect row{surface.origin().x, surface.origin().y, sheet.width - 2 * edge, ui.px(kRow)};
    std::vector<std::uint32_t> rows;
    std::string wanted;
    for (const Choice& choice : choices) {
        const Touch touch = ui.touch("choice " + choice.value, row);
        const bool current = choice.value == now;
        rows.push_back(touch.id);
        if (current || touch.hovered) {
            ui.fill(row, current ? plot::Role::selected : plot::Role::raised, 4);
        }
        if (current) {
            ui.fill({row.x, row.y + ui.px(4), ui.px(3), row.height - ui.px(8)}, plot::Role::accent,
                    1);
        }
        const bool same = choice.value == choice.name;
        const double used = ui.text({row.x + inset, row.y, row.width - 2 * inset, row.height},
                                    choice.name, ui.body(plot::Role::text));
        if (!same) {
            ui.text({row.x + inset + used + inset, row.y, row.width - 3 * inset - used, row.height},
                    choice.value, ui.small(plot::Role::dim), 1);
        }
        if (touch.focused) {
            focus_ring(ui, {row.x + ui.px(4), row.y + ui.px(4), row.width - ui.px(8),
                            row.height - ui.px(8)});
        }
        if (touch.clicked) {
            wanted = choice.value;
        }
        if (current && state.choices.just_opened) {
            state.focus.go_to(touch.id);
        }
        row.y += row.height;
    }
    surface.content_height(row.y - surface.origin().y);
    state.choices.just_opened = false;
    go_to_letter(ui, choices, rows);
    if (const int by = ui.take({GLFW_KEY_DOWN}) ? 1 : ui.take({GLFW_KEY_UP}) ? -1 : 0; by != 0) {
        state.focus.move(by);
    }
    if (!wanted.empty()) {
        const std::string name = parameter->name;
        close_overlay(state);
        set_value(state, name, wanted);
    }
}

}  // namespace ropescope::gui
