// Draws buttons, sliders, choices, text fields and tooltips.
#include "app/gui/toolkit/widgets.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <imgui.h>
#include <imgui_stdlib.h>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "app/plot/rich_text.h"

namespace ropescope::gui {
namespace {

constexpr double kCorner = 6;  // units
constexpr double kTrack = 4, kKnob = 8;

ImVec4 color(plot::Color c) {
    return ImGui::ColorConvertU32ToFloat4(IM_COL32(c.r, c.g, c.b, c.a));
}

/// A field selects its text when it opens; a text that is continued has the caret at its end.
int put_caret_at_end(ImGuiInputTextCallbackData* data) {
    auto& edit = *static_cast<TextEdit*>(data->UserData);
    if (std::exchange(edit.caret_at_end, false)) {
        data->CursorPos = data->SelectionStart = data->SelectionEnd = data->BufTextLen;
    }
    return 0;
}

}  // namespace

void focus_ring(const Ui& ui, plot::Rect r) {
    const double out = ui.px(3);
    ui.stroke({r.x - out, r.y - out, r.width + 2 * out, r.height + 2 * out}, plot::Role::accent,
              ui.theme.selected_px, kCorner + 2);
}

bool button(Ui& ui, std::string_view id, plot::Rect where, std::string_view label,
            const ButtonLook& look) {
    const Touch touch =
        ui.touch(id, where, look.enabled ? PressKeys::enter_and_space : PressKeys::none);
    const bool lit = look.enabled && (touch.hovered || touch.held);
    if (look.selected || (lit && !look.raised)) {
        ui.fill(where, look.selected ? plot::Role::selected : plot::Role::raised, kCorner);
    } else if (look.raised) {
        ui.fill(where, lit ? plot::Role::selected : plot::Role::raised, kCorner);
        ui.stroke(where, plot::Role::line, ui.theme.thin_px, kCorner);
    }
    const plot::Role role = !look.enabled          ? plot::Role::faint
                            : lit || look.selected ? plot::Role::text
                                                   : look.text;
    ui.text({where.x + ui.px(4), where.y, where.width - ui.px(8), where.height}, label,
            ui.caption(role), 0.5);
    if (touch.focused) {
        focus_ring(ui, where);
    }
    if (touch.hovered && !look.help.empty()) {
        tooltip(ui, look.help);
    }
    return look.enabled && touch.clicked;
}

std::optional<std::size_t> segments(Ui& ui, std::string_view id, plot::Rect where,
                                    std::span<const std::string> labels, std::size_t current,
                                    void (*explain)(const Ui&, std::string_view label)) {
    ui.fill(where, plot::Role::raised, kCorner);
    const Touch all = ui.touch(id, where);
    const double each = where.width / static_cast<double>(std::max<std::size_t>(1, labels.size()));
    const auto part = [&](std::size_t i) {
        return plot::Rect{where.x + static_cast<double>(i) * each, where.y, each, where.height};
    };
    const ImVec2 mouse = ImGui::GetMousePos();
    std::optional<std::size_t> chosen;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const bool under = all.hovered && part(i).contains({mouse.x, mouse.y});
        if (i == current) {
            ui.fill(part(i), plot::Role::selected, kCorner);
        }
        ui.text(part(i), labels[i],
                ui.caption(i == current || under ? plot::Role::text : plot::Role::dim), 0.5);
        if (under && all.clicked) {
            chosen = i;
        }
        if (under && explain != nullptr) {
            explain(ui, labels[i]);
        }
    }
    ui.stroke(where, plot::Role::line, ui.theme.thin_px, kCorner);
    if (all.focused) {
        focus_ring(ui, where);
        if (ui.take({GLFW_KEY_LEFT}) && current > 0) {
            chosen = current - 1;
        }
        if (ui.take({GLFW_KEY_RIGHT}) && current + 1 < labels.size()) {
            chosen = current + 1;
        }
        if (ui.take({GLFW_KEY_HOME}) && !labels.empty()) {
            chosen = 0;
        }
        if (ui.take({GLFW_KEY_END}) && !labels.empty()) {
            chosen = labels.size() - 1;
        }
    }
    return chosen == current ? std::nullopt : chosen;
}

int rows_by_keys(Ui& ui, int page) {
    constexpr int kAll = 1 << 16;
    for (const auto& [key, rows] : {std::pair{GLFW_KEY_DOWN, 1},
                                    {GLFW_KEY_UP, -1},
                                    {GLFW_KEY_PAGE_DOWN, page},
                                    {GLFW_KEY_PAGE_UP, -page},
                                    {GLFW_KEY_END, kAll},
                                    {GLFW_KEY_HOME, -kAll}}) {
        if (ui.take({key})) {
            return rows;
        }
    }
    return 0;
}

void walk_list(Ui& ui, std::span<const std::uint32_t> ids, int page) {
    std::vector<std::uint32_t> rows;
    std::ranges::copy_if(ids, std::back_inserter(rows), [](std::uint32_t id) { return id != 0; });
    const int by = rows.empty() ? 0 : rows_by_keys(ui, std::max(1, page));
    if (by == 0) {
        return;
    }
    FocusRing& focus = ui.state().focus;
    const std::ptrdiff_t size = std::ssize(rows);
    const auto found = std::ranges::find(rows, focus.current());
    const std::ptrdiff_t from = found != rows.end() ? found - rows.begin() : by > 0 ? -1 : size;
    const std::ptrdiff_t to = std::abs(by) == 1
                                  ? (from + by + size) % size
                                  : std::clamp<std::ptrdiff_t>(from + by, 0, size - 1);
    focus.go_to(rows[static_cast<std::size_t>(to)]);
}

SliderTouch slider(Ui& ui, std::string_view id, plot::Rect where, double fraction,
                   plot::Role role) {
    SliderTouch result;
    const double knob = ui.px(kKnob), track = ui.px(kTrack);
    // The knob's middle runs the whole track, so the area reaches beyond its ends.
    result.touch = ui.touch(id, {where.x - knob, where.y, where.width + 2 * knob, where.height});
    const double length = std::max(1.0, where.width);
    if (result.touch.held) {
        result.fraction = std::clamp((ImGui::GetMousePos().x - where.x) / length, 0.0, 1.0);
    }
    if (result.touch.focused) {
        for (const auto& [key, step] :
             {std::pair{GLFW_KEY_LEFT, -1}, std::pair{GLFW_KEY_RIGHT, 1}}) {
            const auto held = std::ranges::find(ui.state().keys, KeyPress{key, false, false, true});
            result.repeat = result.repeat || held != ui.state().keys.end();
            result.steps += ui.take({key}) ? step : 0;
        }
    }
    const double x = where.x + std::clamp(result.fraction.value_or(fraction), 0.0, 1.0) * length;
    const double y = std::round(where.y + where.height / 2);
    ImGuiPainter painter = ui.painter();
    const double top = std::round(y - track / 2);
    painter.fill_rect({where.x, top, where.width, track}, ui.theme[plot::Role::line], track / 2);
    painter.fill_rect({where.x, top, x - where.x, track}, ui.theme[role], track / 2);
    const bool lit = result.touch.hovered || result.touch.held;
    painter.circle({x, y}, knob + (lit ? ui.px(1) : 0), ui.theme[role]);
    painter.circle({x, y}, knob - ui.px(2), ui.theme[plot::Role::panel]);
    if (result.touch.focused) {
        focus_ring(ui, where);
    }
    return result;
}

namespace {

// A field gets the keyboard a frame after it was opened and reads it from the next on, and Dear
// ImGui forgets at the end of a frame what nobody has read.

/// Puts what came before the field could read in front of what has come now. Call it before the
/// field.
void give_early_letters(TextEdit& edit) {
    ImVector<ImWchar>& typed = ImGui::GetIO().InputQueueCharacters;
    for (std::size_t i = edit.early.size(); i > 0; --i) {
        typed.insert(typed.begin(), static_cast<ImWchar>(edit.early[i - 1]));
    }
    edit.early.assign(typed.begin(), typed.end());
}

/// Forgets what was given, if the field has read it. Call it behind the field.
void take_back_early_letters(TextEdit& edit) {
    const bool reads = ImGui::IsItemActive() && !ImGui::IsItemActivated();
    edit.waits = !reads && (edit.just_opened || edit.waits);
    if (!edit.waits) {
        edit.early.clear();
    }
}

}  // namespace

FieldResult text_field(Ui& ui, std::string_view id, plot::Rect where, TextEdit& edit,
                       std::string_view hint) {
    ui.fill(where, plot::Role::background, kCorner);
    const plot::TextStyle style = ui.mono(plot::Role::text, ui.theme.caption_px);
    ImFont* font = ui.toolkit().fonts().get(style.face, style.size_px);
    const double line = ui.toolkit().fonts().line_px(style.size_px);
    const auto pad = static_cast<float>(std::max(0.0, (where.height - line) / 2));
    ImGui::SetCursorScreenPos({static_cast<float>(where.x), static_cast<float>(where.y)});
    ImGui::PushFont(font);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {static_cast<float>(ui.px(8)), pad});
    ImGui::PushStyleColor(ImGuiCol_FrameBg, ImVec4(0, 0, 0, 0));
    ImGui::PushStyleColor(ImGuiCol_Text, color(ui.theme[plot::Role::text]));
    ImGui::PushStyleColor(ImGuiCol_TextDisabled, color(ui.theme[plot::Role::dim]));
    ImGui::PushStyleColor(ImGuiCol_TextSelectedBg, color(ui.theme[plot::Role::selected]));
    ImGui::SetNextItemWidth(static_cast<float>(where.width));
    const std::string name = "##" + std::string(id);
    FocusRing& focus = ui.state().focus;
    const std::uint32_t ring_id = ImGui::GetID(name.c_str());
    focus.add(ring_id);
    if (edit.just_opened || (focus.has(ring_id) && focus.just_moved())) {
        focus.set(ring_id);
        ImGui::SetKeyboardFocusHere();
    }
    give_early_letters(edit);
    // Dear ImGui 1.86 keeps the steps of undoing when a field is opened again with another text,
    // and then writes outside it; the window has undo of its own.
    ImGui::InputTextWithHint(name.c_str(), std::string(hint).c_str(), &edit.text,
                             ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_NoUndoRedo |
                                 ImGuiInputTextFlags_CallbackAlways,
                             put_caret_at_end, &edit);
    take_back_early_letters(edit);
    const bool typing = ImGui::IsItemActive() || edit.just_opened;
    ui.stroke(where, typing ? plot::Role::accent : plot::Role::line, ui.theme.selected_px, kCorner);
    // After a refused Enter the field is not active, but a click elsewhere still leaves it.
    const bool clicked_elsewhere = ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
                                   !ImGui::IsItemActive() && !ImGui::IsItemHovered();
    const bool left = (ImGui::IsItemDeactivated() || clicked_elsewhere) && !edit.just_opened;
    edit.just_opened = false;
    ImGui::PopStyleColor(4);
    ImGui::PopStyleVar();
    ImGui::PopFont();
    // From our own key presses: ImGui 1.86 loses an Enter that goes down and up between two frames.
    if (ui.take({GLFW_KEY_ENTER}) || ui.take({GLFW_KEY_KP_ENTER})) {
        ImGui::SetWindowFocus(nullptr);  // if the text is refused, opening it again selects it
        return FieldResult::accepted;
    }
    if (ui.take({GLFW_KEY_ESCAPE})) {
        return FieldResult::cancelled;
    }
    return left ? FieldResult::left : FieldResult::editing;
}

void tooltip(const Ui& ui, std::string_view text) {
    const ImVec2 mouse = ImGui::GetMousePos();
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const plot::TextStyle style = ui.caption(plot::Role::text);
    ImGuiPainter painter(ImGui::GetForegroundDrawList(), ui.toolkit().fonts(),
                         ui.toolkit().textures(), ui.toolkit().live());
    const double pad = ui.px(8), widest = std::min(ui.px(620), display.x - 2 * pad);
    constexpr std::size_t kMostLines = 8;
    const std::vector<std::string> lines = plot::wrapped(text, widest, kMostLines, style, painter);
    plot::Pixel size;
    for (const std::string& line : lines) {
        const plot::Pixel one = painter.text_size(line, style);
        size = {std::max(size.x, one.x), size.y + one.y};
    }
    const double x =
        std::clamp(mouse.x + ui.px(14), 0.0, std::max(0.0, display.x - size.x - 2 * pad));
    // Above the mouse where it would cover what the mouse is on.
    const double height = size.y + pad, below = mouse.y + ui.px(18);
    const double y =
        below + height <= display.y ? below : std::max(0.0, mouse.y - ui.px(8) - height);
    const plot::Rect box{x, y, size.x + 2 * pad, height};
    painter.fill_rect(box, ui.theme[plot::Role::raised], ui.px(kCorner));
    painter.stroke_rect(box, ui.theme[plot::Role::line], ui.theme.thin_px, ui.px(kCorner));
    plot::Pixel at{x + pad, y + pad / 2};
    for (const std::string& line : lines) {
        painter.text(at, line, style);
        at.y += size.y / static_cast<double>(lines.size());
    }
}

void draw_chevron(const Ui& ui, plot::Pixel center, plot::Role role) {
    const double w = ui.px(4.5), h = ui.px(3);
    const std::array<plot::Pixel, 3> points = {plot::Pixel{center.x - w, center.y - h},
                                               {center.x + w, center.y - h},
                                               {center.x, center.y + h}};
    ui.painter().polygon(points, ui.theme[role]);
}

}  // namespace ropescope::gui
