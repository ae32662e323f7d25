// Draws text and shapes in the current ImGui window, and makes areas that react.
#include "app/gui/toolkit/ui.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <algorithm>
#include <cmath>
#include <imgui.h>
#include <string>

#include "app/plot/rich_text.h"

namespace ropescope::gui {
namespace {

ImVec2 vec(double x, double y) {
    return {static_cast<float>(x), static_cast<float>(y)};
}

/// Whether the current ImGui window shows the whole rectangle.
bool is_in_sight(plot::Rect r) {
    const ImVec2 from = ImGui::GetWindowDrawList()->GetClipRectMin();
    const ImVec2 to = ImGui::GetWindowDrawList()->GetClipRectMax();
    return r.x >= from.x && r.y >= from.y && r.x + r.width <= to.x && r.y + r.height <= to.y;
}

}  // namespace

Ui::Ui(AppState& state, Toolkit& toolkit, Regions regions_in)
    : theme(state.theme),
      regions(regions_in),
      state_(&state),
      toolkit_(&toolkit),
      unit_(design_unit(state)) {}

ImGuiPainter Ui::painter() const {
    return {ImGui::GetWindowDrawList(), toolkit_->fonts(), toolkit_->textures(), toolkit_->live()};
}

plot::TextStyle Ui::style(plot::Role role, double size_px, plot::Face face) const {
    // Faint words, of what is disabled, stay faint.
    return {face, size_px * state_->scale,
            role == plot::Role::faint ? theme[role] : plot::word_color(theme, role)};
}

double Ui::width(std::string_view text, const plot::TextStyle& style) const {
    return painter().text_size(text, style).x;
}

double Ui::text(plot::Rect where, std::string_view text, const plot::TextStyle& style,
                double align) const {
    ImGuiPainter painter = this->painter();
    const std::string shown = plot::fitted(text, where.width, style, painter);
    const plot::Pixel size = plot::rich_text_size(shown, style, painter);
    plot::draw_rich_text(
        {where.x + (where.width - size.x) * align, where.y + (where.height - size.y) / 2}, shown,
        style, painter);
    return size.x;
}

namespace {

double line_height_of(const plot::TextStyle& style) {
    return std::round(style.size_px * 1.45);
}

}  // namespace

double Ui::paragraph_height(double width, std::string_view text,
                            const plot::TextStyle& style) const {
    constexpr std::size_t kAllLines = 1000;
    ImGuiPainter painter = this->painter();
    const std::size_t lines = plot::wrapped(text, width, kAllLines, style, painter).size();
    return line_height_of(style) * static_cast<double>(lines);
}

double Ui::paragraph(plot::Rect where, std::string_view text, const plot::TextStyle& style,
                     const EachLine& each_line) const {
    ImGuiPainter painter = this->painter();
    const double line_height = line_height_of(style);
    const auto most = static_cast<std::size_t>(std::max(0.0, (where.height + 1) / line_height));
    double y = where.y;
    if (most == 0) {
        return 0;
    }
    for (const std::string& line : plot::wrapped(text, where.width, most, style, painter)) {
        painter.text({where.x, y}, line, style);
        if (each_line) {
            each_line({where.x, y, where.width, line_height}, line);
        }
        y += line_height;
    }
    return y - where.y;
}

void Ui::fill(plot::Rect rect, plot::Role role, double corner_units) const {
    painter().fill_rect(rect, theme[role], px(corner_units));
}

void Ui::stroke(plot::Rect rect, plot::Role role, double width_px, double corner_units) const {
    painter().stroke_rect(rect, theme[role], std::max(1.0, width_px * state_->scale),
                          px(corner_units));
}

void Ui::rule(plot::Pixel from, double length, bool vertical) const {
    const double thick = std::max(1.0, std::round(theme.thin_px * state_->scale));
    const double x = std::round(from.x), y = std::round(from.y);
    painter().fill_rect(
        vertical ? plot::Rect{x, y, thick, length} : plot::Rect{x, y, length, thick},
        theme[plot::Role::line], 0);
}

std::string upper_case(std::string_view text) {
    std::string upper(text);
    std::ranges::transform(upper, upper.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return upper;
}

Touch Ui::touch(std::string_view name, plot::Rect where, PressKeys keys) {
    ImGui::SetCursorScreenPos(vec(std::round(where.x), std::round(where.y)));
    ImGui::PushID(name.data(), name.data() + name.size());
    Touch touch;
    touch.clicked = ImGui::InvisibleButton(
        "##touch", vec(std::max(1.0, where.width), std::max(1.0, where.height)));
    touch.id = ImGui::GetID("##touch");
    if (!state_->probe.name.empty() && state_->probe.name == name) {
        state_->probe.place = where;
        state_->probe.id = touch.id;
        state_->probe.whole = is_in_sight(where);
    }
    touch.hovered = ImGui::IsItemHovered();
    touch.held = ImGui::IsItemActive();
    touch.released = ImGui::IsItemDeactivated();
    if (state_->focus.just_moved() && state_->focus.has(touch.id) && !ImGui::IsItemVisible()) {
        ImGui::SetScrollHereY(0.5F);
    }
    ImGui::PopID();
    if (keys != PressKeys::none && !behind) {
        state_->focus.add(touch.id);
        touch.focused = state_->focus.has(touch.id);
        if (touch.held && !touch.focused) {
            state_->focus.clear();  // a click ends the keyboard's focus
        }
        const bool space = keys == PressKeys::enter_and_space;
        touch.clicked =
            touch.clicked ||
            (touch.focused && (take({GLFW_KEY_ENTER}) || (space && take({GLFW_KEY_SPACE}))));
    }
    return touch;
}

bool Ui::take(KeyPress press) {
    if (behind) {
        return false;
    }
    const auto found = std::ranges::find_if(state_->keys, [&](const KeyPress& k) {
        return k.key == press.key && k.control == press.control && k.shift == press.shift;
    });
    if (found == state_->keys.end()) {
        return false;
    }
    state_->keys.erase(found);
    return true;
}

Surface::Surface(const Ui& ui, const char* name, plot::Rect where, Kind kind) : kind_(kind) {
    const double width = std::max(1.0, where.width), height = std::max(1.0, where.height);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, vec(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize, static_cast<float>(ui.px(7)));
    ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarRounding, static_cast<float>(ui.px(4)));
    const plot::Color grab = ui.theme[plot::Role::faint];
    ImGui::PushStyleColor(ImGuiCol_ScrollbarBg, IM_COL32(0, 0, 0, 0));
    for (const int part :
         {ImGuiCol_ScrollbarGrab, ImGuiCol_ScrollbarGrabHovered, ImGuiCol_ScrollbarGrabActive}) {
        const int alpha = part == ImGuiCol_ScrollbarGrab ? 110 : 255;
        ImGui::PushStyleColor(part, IM_COL32(grab.r, grab.g, grab.b, alpha));
    }
    constexpr ImGuiWindowFlags kPlain = ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav;
    if (kind == Kind::child) {
        ImGui::SetCursorScreenPos(vec(where.x, where.y));
        ImGui::BeginChild(name, vec(width, height), false, kPlain);
    } else {
        ImGui::SetNextWindowPos(vec(where.x, where.y));
        ImGui::SetNextWindowSize(vec(width, height));
        if (kind == Kind::overlay) {
            ImGui::SetNextWindowFocus();
        }
        ImGui::Begin(name, nullptr,
                     kPlain | ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoScrollWithMouse |
                         (kind == Kind::window ? ImGuiWindowFlags_NoBringToFrontOnFocus : 0));
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    origin_ = {at.x, at.y};
}

void Surface::content_height(double pixels) const {
    ImGui::SetCursorScreenPos(vec(origin_.x, origin_.y));
    ImGui::Dummy(vec(1, pixels));
}

void Surface::scroll_down_to(double pixels) const {
    const float least = static_cast<float>(pixels) - ImGui::GetWindowHeight();
    if (least > ImGui::GetScrollY()) {
        ImGui::SetScrollY(least);
    }
}

void Surface::scroll_to(double pixels) const {
    ImGui::SetScrollY(static_cast<float>(pixels) - ImGui::GetWindowHeight() / 2);
}

Surface::~Surface() {
    if (kind_ == Kind::child) {
        ImGui::EndChild();
    } else {
        ImGui::End();
    }
    ImGui::PopStyleColor(4);
    ImGui::PopStyleVar(4);
}

}  // namespace ropescope::gui
