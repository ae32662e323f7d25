// Finds a browser's name of a key in a table.
#include "app/web/key_names.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <algorithm>
#include <array>
#include <utility>

namespace ropescope::web {
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
