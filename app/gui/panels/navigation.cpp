// Draws the list of views, grouped by their questions, with their keys.
#include <fmt/format.h>
#include <imgui.h>
#include <string>
#include <vector>

#include "app/gui/panels/panels.h"
#include "app/gui/state/actions.h"
#include "app/gui/toolkit/widgets.h"

namespace ropescope::gui {
namespace {

constexpr double kNavigationTop = 20, kNavigationSide = 12, kGroupHeading = 34, kItem = 36,
                 kGroupGap = 8;

/// Returns where the keyboard finds it.
Touch draw_entry(Ui& ui, plot::Rect row, const figures::View& view) {
    const bool names = ui.regions.names_in_navigation;
    const bool selected = view.id == ui.state().scene.view;
    const plot::Rect box{row.x, row.y + ui.px(2), row.width, row.height - ui.px(4)};
    const Touch touch = ui.touch(view.id, box);
    if (selected || touch.hovered) {
        ui.fill(box, selected ? plot::Role::selected : plot::Role::raised, 6);
    }
    if (selected) {
        // The bar marks the view too, for people who do not see the colour.
        ui.fill({box.x - ui.px(2), box.y, ui.px(3), box.height}, plot::Role::accent, 1);
    }
    const bool keys = ui.regions.keys_in_navigation;
    const double number = !keys ? ui.px(8) : names ? ui.px(32) : row.width;
    if (keys) {
        ui.text({box.x, box.y, number, box.height}, std::string_view(&view.key, 1),
                ui.mono(selected ? plot::Role::text : plot::Role::dim, ui.theme.small_px), 0.5);
    }
    if (names) {
        const plot::Role role = selected || touch.hovered ? plot::Role::text : plot::Role::dim;
        ui.text({box.x + number, box.y, box.width - number, box.height}, view.name,
                keys ? ui.body(role) : ui.caption(role));
    }
    if (touch.hovered) {
        const std::string key = keys ? "" : fmt::format("Key {}. ", view.key);
        tooltip(ui, names ? key + view.question : view.name + ": " + view.question);
    }
    if (touch.focused) {
        focus_ring(ui, box);
    }
    if (touch.clicked) {
        show_view(ui.state(), view.id);
    }
    return touch;
}

/// Scrolls to the row of the view that is shown, once when another one is.
void scroll_to_shown(const Surface& surface, const plot::Rect& area, plot::Rect row, int place) {
    ImGuiStorage& kept = *ImGui::GetStateStorage();
    const ImGuiID key = ImGui::GetID("view that is shown");
    if (kept.GetInt(key, -1) == place) {
        return;
    }
    kept.SetInt(key, place);
    if (row.y < area.y || row.y + row.height > area.y + area.height) {
        surface.scroll_to(row.y + row.height / 2 - surface.origin().y);
    }
}

}  // namespace

void draw_navigation(Ui& ui) {
    const Surface surface(ui, "navigation", ui.regions.navigation, Surface::Kind::child);
    const double width = ui.regions.navigation.width;
    const bool keys = ui.regions.keys_in_navigation,
               headings = keys && ui.regions.names_in_navigation;
    const double side = headings ? ui.px(kNavigationSide) : ui.px(8);
    const double x = surface.origin().x + side;
    double y = surface.origin().y + ui.px(kNavigationTop);
    std::string group;
    int place = 0;
    std::vector<std::uint32_t> rows;
    bool focused = false;
    for (const figures::View& view : figures::views()) {
        if (view.group != group) {
            y += group.empty() ? 0 : ui.px(kGroupGap);
            if (headings) {
                ui.text(
                    {x + ui.px(8), y - ui.px(4), width - side - ui.px(8), ui.px(kGroupHeading - 8)},
                    upper_case(view.group), ui.small(plot::Role::dim));
                y += ui.px(kGroupHeading - 6);
            } else if (!group.empty()) {
                ui.rule({x, y}, width - 2 * side, false);
                y += ui.px(kGroupGap);
            }
            group = view.group;
        }
        const plot::Rect row{x, y, width - 2 * side, ui.px(kItem)};
        const Touch touch = draw_entry(ui, row, view);
        rows.push_back(touch.id);
        focused = focused || touch.focused;
        if (view.id == ui.state().scene.view) {
            scroll_to_shown(surface, ui.regions.navigation, row, place);
        }
        ++place;
        y += ui.px(kItem);
    }
    surface.content_height(y + ui.px(kNavigationTop) - surface.origin().y);
    if (focused) {
        walk_list(ui, rows, static_cast<int>(ui.regions.navigation.height / ui.px(kItem)) - 1);
    }
}

}  // namespace ropescope::gui
