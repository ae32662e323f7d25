// Collects GLFW's events, and waits for them.
#include "app/gui/window_events.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <algorithm>

namespace ropescope::gui {
namespace {

Input& input_of(GLFWwindow* window) {
    return *static_cast<Input*>(glfwGetWindowUserPointer(window));
}

/// For every kind of event but keys.
template <typename... Details>
void on_event(GLFWwindow* window, Details...) {
    input_of(window).any = true;
}

/// The letter that the keyboard's layout has on the key, as GLFW's constant: on a German or
/// Hungarian keyboard Z and Y change places.
int key_as_written(int key, int scancode) {
    if (key < GLFW_KEY_A || key > GLFW_KEY_Z) {
        return key;
    }
    const char* name = glfwGetKeyName(key, scancode);
    const bool letter = name != nullptr && name[0] >= 'a' && name[0] <= 'z' && name[1] == '\0';
    return letter ? GLFW_KEY_A + (name[0] - 'a') : key;
}

void on_key(GLFWwindow* window, int key, int scancode, int action, int mods) {
    input_of(window).any = true;
    if (action == GLFW_RELEASE || (mods & (GLFW_MOD_ALT | GLFW_MOD_SUPER)) != 0) {
        return;
    }
    input_of(window).keys.push_back({key_as_written(key, scancode), (mods & GLFW_MOD_CONTROL) != 0,
                                     (mods & GLFW_MOD_SHIFT) != 0, action == GLFW_REPEAT});
}

void on_character(GLFWwindow* window, unsigned int codepoint) {
    input_of(window).any = true;
    if (codepoint == '?') {  // on another key in every layout
        input_of(window).keys.push_back({GLFW_KEY_F1});
    }
}

void on_drop(GLFWwindow* window, int count, const char** paths) {
    input_of(window).any = true;
    if (count > 0) {
        input_of(window).dropped = paths[0];
    }
}

}  // namespace

void listen(GLFWwindow* window, Input& input) {
    glfwSetWindowUserPointer(window, &input);
    glfwSetKeyCallback(window, on_key);
    glfwSetCharCallback(window, on_character);
    glfwSetCursorPosCallback(window, on_event);
    glfwSetCursorEnterCallback(window, on_event);
    glfwSetMouseButtonCallback(window, on_event);
    glfwSetDropCallback(window, on_drop);
    glfwSetScrollCallback(window, on_event);
    glfwSetWindowFocusCallback(window, on_event);
    glfwSetWindowRefreshCallback(window, on_event);
    glfwSetFramebufferSizeCallback(window, on_event);
    glfwSetWindowContentScaleCallback(window, on_event);
}

bool wait_for_event(double seconds) {
    if (seconds <= 0) {
        glfwPollEvents();
        return false;
    }
    const double most = std::min(seconds, kLongestSleep), before = glfwGetTime();
    glfwWaitEventsTimeout(most);
    return glfwGetTime() - before >= 0.9 * most;
}

}  // namespace ropescope::gui
