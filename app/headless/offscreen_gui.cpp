// Runs the window's frames offscreen, with scripted input.
#include "app/headless/offscreen_gui.h"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <epoxy/gl.h>
#include <fmt/format.h>
#include <imgui.h>
#include <utility>

#include "app/gui/draw_frame.h"
#include "core/base/error.h"
#include "core/base/index.h"

namespace ropescope::headless {
namespace {

constexpr double kFrameSeconds = 1.0 / 60.0;

/// A side in pixels. The framebuffer checks it against OpenGL's limits; here it only must fit an
/// int.
int scaled(int side, double scale) {
    if (!(scale >= kLeastWindowScale && scale <= kMostWindowScale)) {
        throw InputError(fmt::format("scale: {} is out of range; give a number from {} to {}",
                                     scale, kLeastWindowScale, kMostWindowScale));
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

// Draws into a framebuffer and reads it as a picture.

namespace {

void require_drawable(int width, int height) {
    GLint most_pixels = 0;
    std::array<GLint, 2> most_viewport{};
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most_pixels);
    glGetIntegerv(GL_MAX_VIEWPORT_DIMS, most_viewport.data());
    const int most = std::min({most_pixels, most_viewport[0], most_viewport[1]});
    if (width < 1 || height < 1 || width > most || height > most) {
        throw InputError(
            fmt::format("size: {} x {} pixels cannot be drawn here; give sides (times the scale) "
                        "from 1 to {}",
                        width, height, most));
    }
}

}  // namespace

Framebuffer::Framebuffer(int width, int height) : width_(width), height_(height) {
    require_drawable(width, height);
    glGenFramebuffers(1, &framebuffer_);
    glGenRenderbuffers(1, &color_);
    glBindRenderbuffer(GL_RENDERBUFFER, color_);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    bind();
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color_);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
        throw CapabilityError(fmt::format(
            "offscreen drawing: no memory for {} x {} pixels; give a smaller size or scale", width,
            height));
    }
}

Framebuffer::~Framebuffer() {
    glDeleteFramebuffers(1, &framebuffer_);
    glDeleteRenderbuffers(1, &color_);
}

void Framebuffer::bind() const {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glViewport(0, 0, width_, height_);
}

Image Framebuffer::read() const {
    const std::ptrdiff_t width = width_, height = height_;
    Image image{width_, height_, std::vector<plot::Color>(width * height)};
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, image.pixels.data());
    // In OpenGL the first row is the bottom one.
    for (std::ptrdiff_t row = 0; row < height / 2; ++row) {
        const auto top = image.pixels.begin() + row * width;
        const auto bottom = image.pixels.begin() + (height - 1 - row) * width;
        std::swap_ranges(top, top + width, bottom);
    }
    for (plot::Color& pixel : image.pixels) {
        pixel.a = 255;
    }
    return image;
}

}  // namespace ropescope::headless
