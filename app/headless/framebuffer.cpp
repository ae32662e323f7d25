// Draws into a framebuffer and reads it as a picture.
#include "app/headless/framebuffer.h"

#include <algorithm>
#include <array>
#include <epoxy/gl.h>
#include <fmt/format.h>

#include "core/base/error.h"

namespace ropescope::headless {
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
