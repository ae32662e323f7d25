// The events of a browser's page, handed to ImGui a frame at a time, and the keys of a browser as
// GLFW names them.
#include "app/web/input.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <algorithm>
#include <array>
#include <imgui.h>
#include <limits>
#include <utility>
#include <vector>

namespace ropescope::web {

// Sets ImGui's input from the queue.

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

// Finds a browser's name of a key in a table.

namespace {

constexpr auto kNamed = std::to_array<std::pair<std::string_view, int>>({
    {"Escape", GLFW_KEY_ESCAPE},
    {"Enter", GLFW_KEY_ENTER},
    {"Tab", GLFW_KEY_TAB},
    {"Backspace", GLFW_KEY_BACKSPACE},
    {"Insert", GLFW_KEY_INSERT},
    {"Delete", GLFW_KEY_DELETE},
    {"ArrowRight", GLFW_KEY_RIGHT},
    {"ArrowLeft", GLFW_KEY_LEFT},
    {"ArrowDown", GLFW_KEY_DOWN},
    {"ArrowUp", GLFW_KEY_UP},
    {"PageUp", GLFW_KEY_PAGE_UP},
    {"PageDown", GLFW_KEY_PAGE_DOWN},
    {"Home", GLFW_KEY_HOME},
    {"End", GLFW_KEY_END},
    {" ", GLFW_KEY_SPACE},
    {"-", GLFW_KEY_MINUS},
    {"+", GLFW_KEY_EQUAL},  // on a key of its own in many layouts
    {"=", GLFW_KEY_EQUAL},
    {"F1", GLFW_KEY_F1},
    {"F6", GLFW_KEY_F6},
    {"F8", GLFW_KEY_F8},
    {"F10", GLFW_KEY_F10},
    {"F11", GLFW_KEY_F11},
});

}  // namespace

int glfw_key(std::string_view code, std::string_view key) {
    if (code == "NumpadEnter") {
        return GLFW_KEY_KP_ENTER;
    }
    const auto found = std::ranges::find(kNamed, key, &std::pair<std::string_view, int>::first);
    if (found != kNamed.end()) {
        return found->second;
    }
    if (key.size() != 1) {
        return 0;
    }
    const char c = key[0];
    if (c >= 'a' && c <= 'z') {
        return GLFW_KEY_A + (c - 'a');
    }
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : 0;
}

}  // namespace ropescope::web
