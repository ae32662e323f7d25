// Sets ImGui up and renders its frames with OpenGL.
#include "app/gui/toolkit/toolkit.h"

#include <epoxy/gl.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>
#include <utility>

#include "app/gui/toolkit/graphics.h"

namespace ropescope::gui {
namespace {

void clear(plot::Color color) {
    glClearColor(static_cast<float>(color.r) / 255.0F, static_cast<float>(color.g) / 255.0F,
                 static_cast<float>(color.b) / 255.0F, 1.0F);
    glClear(GL_COLOR_BUFFER_BIT);
}

}  // namespace

Toolkit::Toolkit(double density) : context_(ImGui::CreateContext()), fonts_(density) {
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;  // we place the windows, so there is nothing to remember
    io.LogFilename = nullptr;
    ImGui::GetStyle().CircleTessellationMaxError = 0.1F;
    ImGui_ImplOpenGL3_Init(shader_version());
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
    const double start = own_time_ms();
    ImGui::NewFrame();
    build();
    ImGui::Render();
    const double own = own_time_ms() - start;
    clear(background);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    textures_.end_frame();
    live_.end_frame();
    return own;
}

}  // namespace ropescope::gui
