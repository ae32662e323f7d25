// Sets ImGui up and renders its frames with OpenGL.
#include "app/gui/toolkit/toolkit.h"

#include <ctime>
#include <epoxy/gl.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>
#include <utility>

namespace ropescope::gui {
namespace {

void clear(plot::Color color) {
    glClearColor(static_cast<float>(color.r) / 255.0F, static_cast<float>(color.g) / 255.0F,
                 static_cast<float>(color.b) / 255.0F, 1.0F);
    glClear(GL_COLOR_BUFFER_BIT);
}

/// CPU time of this thread, which does not depend on what else the machine does.
double thread_cpu_ms() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

}  // namespace

Toolkit::Toolkit(double density) : context_(ImGui::CreateContext()), fonts_(density) {
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;  // we place the windows, so there is nothing to remember
    io.LogFilename = nullptr;
    ImGui::GetStyle().CircleTessellationMaxError = 0.1F;
    ImGui_ImplOpenGL3_Init("#version 330 core");
}

Toolkit::~Toolkit() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext(context_);
}

double Toolkit::frame(const std::function<void()>& platform, const std::function<void()>& build,
                      plot::Color background) {
    // The renderer uploads the first atlas itself.
    if (fonts_.load_wanted() && std::exchange(atlas_uploaded_, true)) {
        ImGui_ImplOpenGL3_DestroyFontsTexture();
        ImGui_ImplOpenGL3_CreateFontsTexture();
    }
    ImGui_ImplOpenGL3_NewFrame();
    platform();
    const double start = thread_cpu_ms();
    ImGui::NewFrame();
    build();
    ImGui::Render();
    const double own = thread_cpu_ms() - start;
    clear(background);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    textures_.end_frame();
    live_.end_frame();
    return own;
}

}  // namespace ropescope::gui
