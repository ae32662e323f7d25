// Runs the tests, or, with --window, the window that one of them watches.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <cstdlib>
#include <gtest/gtest.h>
#include <imgui.h>
#include <string>
#include <unistd.h>

#include "app/gui/state/app_state.h"
#include "app/gui/window.h"
#include "app/scene/scene_json.h"
#include "tests/gui/watched_window.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

WatchedWindow::Report report_of(const gui::AppState& state) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    return {{"scene", scene_to_json(state.scene)},
            {"view", state.scene.view},
            {"base", state.scene.base},
            {"key_position", state.scene.key_position},
            {"knob held", state.drag_start.has_value()},
            {"menu open", state.overlay != gui::Overlay::none},
            {"edited", state.edit.target},
            {"typed", state.edit.text},
            {"error", state.error},
            {"figure of scene", state.shown.is_of(state.scene, *state.engine, state.checks.run)},
            {"mouse", {static_cast<int>(mouse.x), static_cast<int>(mouse.y)}}};
}

}  // namespace

int run_watched_window(int report_fd) {
    std::string last;
    const auto tell = [&](const gui::AppState& state) {
        ImGui::GetIO().ConfigInputTextCursorBlink = false;  // pictures do not depend on the time
        double x = 0, y = 0;
        glfwGetCursorPos(glfwGetCurrentContext(), &x, &y);  // the server's answer: all is drawn
        const std::string line = report_of(state).dump() + "\n";
        if (line != last && write(report_fd, line.data(), line.size()) < 0) {
            std::exit(0);  // the test is over
        }
        last = line;
    };
    gui::run_app({}, {.source = gui::EngineSource()}, {.at_rest = tell});
    return 0;
}

}  // namespace ropescope::test

int main(int argc, char** argv) {
    if (argc == 3 && std::string(argv[1]) == "--window") {
        return ropescope::test::run_watched_window(std::stoi(argv[2]));
    }
    // What the windows of these tests remember goes to a folder of their own.
    const ropescope::test::TempFolder configuration;
    setenv("XDG_CONFIG_HOME", configuration.path().c_str(), 1);
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
