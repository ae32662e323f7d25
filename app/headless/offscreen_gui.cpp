// Runs the window's frames offscreen, with scripted input.
#include "app/headless/offscreen_gui.h"

#include <cfloat>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>
#include <utility>

#include "app/gui/draw_frame.h"
#include "core/base/error.h"
#include "core/base/index.h"

namespace ropescope::headless {
namespace {

constexpr double kFrameSeconds = 1.0 / 60.0;
constexpr double kLeastScale = 0.5, kMostScale = 8;

/// A side in pixels. The framebuffer checks it against OpenGL's limits; here it only must fit an
/// int.
int scaled(int side, double scale) {
    if (!(scale >= kLeastScale && scale <= kMostScale)) {
        throw InputError(fmt::format("scale: {} is out of range; give a number from {} to {}",
                                     scale, kLeastScale, kMostScale));
    }
    const double pixels = std::round(side * scale);
    if (!(pixels >= 1 && pixels <= 1e6)) {
        throw InputError(
            fmt::format("size: a side of {} is out of range; give whole numbers from 1", side));
    }
    return narrow<int>(round_to_index(pixels));
}

}  // namespace

OffscreenGui::OffscreenGui(const Scene& scene, Engine& engine, const ScreenshotOptions& options)
    : width_(scaled(options.width, options.scale)),
      height_(scaled(options.height, options.scale)),
      scale_(options.scale),
      framebuffer_(width_, height_) {
    figures::view_by_id(scene.view);  // refuses an unknown view
    state_.scene = scene;
    state_.engine = &engine;
    state_.theme = plot::theme_by_name(options.theme);
    state_.scale = options.scale;
    gui::want_fonts(state_, toolkit_);
}

double OffscreenGui::frame() {
    framebuffer_.bind();
    state_.scale = scale_ * state_.type_size;
    const auto platform = [&] {
        ImGuiIO& io = ImGui::GetIO();
        io.DisplaySize = {static_cast<float>(width_), static_cast<float>(height_)};
        io.DeltaTime = static_cast<float>(kFrameSeconds);
        io.MousePos = {-FLT_MAX, -FLT_MAX};
        if (input.mouse) {
            io.MousePos = {static_cast<float>(input.mouse->x), static_cast<float>(input.mouse->y)};
        }
        io.MouseDown[0] = input.mouse_down;
        io.MouseDown[1] = input.right_down;
        io.MouseWheel = static_cast<float>(std::exchange(input.wheel, 0));
        io.AddInputCharactersUTF8(std::exchange(input.typed, "").c_str());
    };
    return toolkit_.frame(
        platform, [&] { gui::draw_frame(state_, toolkit_, kFrameSeconds); },
        state_.theme[plot::Role::background]);
}

}  // namespace ropescope::headless
