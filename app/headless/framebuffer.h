// A picture to draw into instead of a window. Needs a current OpenGL context.
#pragma once

#include <cstdint>

#include "app/headless/screenshot.h"

namespace ropescope::headless {

class Framebuffer {
  public:
    /// Throws InputError when a side is below 1 or above what this OpenGL can draw.
    Framebuffer(int width, int height);
    ~Framebuffer();
    Framebuffer(const Framebuffer&) = delete;
    Framebuffer& operator=(const Framebuffer&) = delete;

    void bind() const;
    /// Opaque pixels, top row first.
    Image read() const;

  private:
    int width_ = 0, height_ = 0;
    std::uint32_t framebuffer_ = 0, color_ = 0;
};

}  // namespace ropescope::headless
