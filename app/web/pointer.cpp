// Sets ImGui's input from the queue.
#include "app/web/pointer.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <algorithm>
#include <imgui.h>
#include <limits>
#include <utility>
#include <vector>

namespace ropescope::web {
namespace {

void tell(const InputEvent& event, std::vector<gui::KeyPress>& keys) {
    ImGuiIO& io = ImGui::GetIO();
    switch (event.kind) {
        case InputEvent::Kind::move:
            io.MousePos = {static_cast<float>(event.x), static_cast<float>(event.y)};
            break;
        case InputEvent::Kind::leave: {
            constexpr float kNowhere = -std::numeric_limits<float>::max();
            io.MousePos = {kNowhere, kNowhere};
            break;
        }
        case InputEvent::Kind::button:
            io.MouseDown[event.code] = event.down;
            io.KeyCtrl = event.control;
            io.KeyShift = event.shift;
            break;
        case InputEvent::Kind::wheel:
            io.MouseWheelH += static_cast<float>(event.x);
            io.MouseWheel += static_cast<float>(event.y);
            io.KeyCtrl = event.control;
            io.KeyShift = event.shift;
            break;
        case InputEvent::Kind::key:
            io.KeysDown[event.code] = event.down;
            io.KeyCtrl = event.control;
            io.KeyShift = event.shift;
            if (event.down) {
                keys.push_back({event.code, event.control, event.shift, event.repeat});
            }
            break;
        case InputEvent::Kind::text:
            io.AddInputCharactersUTF8(event.text.c_str());
            if (event.text == "?") {  // on another key in every layout
                keys.push_back({GLFW_KEY_F1});
            }
            break;
    }
}

}  // namespace

std::vector<gui::KeyPress> InputQueue::begin_frame() {
    std::vector<gui::KeyPress> keys;
    std::vector<std::pair<InputEvent::Kind, int>> changed;
    while (!events_.empty()) {
        const InputEvent& next = events_.front();
        const bool changes =
            next.kind == InputEvent::Kind::button || next.kind == InputEvent::Kind::key;
        const std::pair what(next.kind, next.code);
        if (changes && std::ranges::find(changed, what) != changed.end()) {
            break;
        }
        // A press or release happens where the pointer was then: what moves it further waits. A
        // finger that is lifted leaves at once.
        const bool moves =
            next.kind == InputEvent::Kind::move || next.kind == InputEvent::Kind::leave;
        if (moves && !changed.empty()) {
            break;
        }
        if (changes) {
            changed.push_back(what);
        }
        tell(next, keys);
        events_.pop_front();
    }
    return keys;
}

void name_keys_for_imgui() {
    ImGuiIO& io = ImGui::GetIO();
    const std::pair<int, int> names[] = {
        {ImGuiKey_Tab, GLFW_KEY_TAB},
        {ImGuiKey_LeftArrow, GLFW_KEY_LEFT},
        {ImGuiKey_RightArrow, GLFW_KEY_RIGHT},
        {ImGuiKey_UpArrow, GLFW_KEY_UP},
        {ImGuiKey_DownArrow, GLFW_KEY_DOWN},
        {ImGuiKey_PageUp, GLFW_KEY_PAGE_UP},
        {ImGuiKey_PageDown, GLFW_KEY_PAGE_DOWN},
        {ImGuiKey_Home, GLFW_KEY_HOME},
        {ImGuiKey_End, GLFW_KEY_END},
        {ImGuiKey_Insert, GLFW_KEY_INSERT},
        {ImGuiKey_Delete, GLFW_KEY_DELETE},
        {ImGuiKey_Backspace, GLFW_KEY_BACKSPACE},
        {ImGuiKey_Space, GLFW_KEY_SPACE},
        {ImGuiKey_Enter, GLFW_KEY_ENTER},
        {ImGuiKey_KeyPadEnter, GLFW_KEY_KP_ENTER},
        {ImGuiKey_Escape, GLFW_KEY_ESCAPE},
        {ImGuiKey_A, GLFW_KEY_A},
        {ImGuiKey_C, GLFW_KEY_C},
        {ImGuiKey_V, GLFW_KEY_V},
        {ImGuiKey_X, GLFW_KEY_X},
        {ImGuiKey_Y, GLFW_KEY_Y},
        {ImGuiKey_Z, GLFW_KEY_Z},
    };
    for (const auto& [imgui, glfw] : names) {
        io.KeyMap[imgui] = glfw;
    }
}

}  // namespace ropescope::web
