// Pictures on the graphics card. A picture is known by its content: as long as it is drawn every
// frame it is uploaded once.
#pragma once

#include <cstdint>
#include <map>

#include "app/plot/painter.h"

namespace ropescope::gui {

/// OpenGL's name of a new texture, nearest neighbour, of RGBA8 pixels: the program's, or with null
/// those at the beginning of the buffer that is bound to GL_PIXEL_UNPACK_BUFFER.
std::uint32_t make_texture(std::int64_t width, std::int64_t height, const plot::Color* pixels);

class Textures {
  public:
    Textures() = default;
    ~Textures();
    Textures(const Textures&) = delete;
    Textures& operator=(const Textures&) = delete;

    /// OpenGL's name of a texture that holds the picture; nearest neighbour. Valid until the frame
    /// has been drawn. The sides must be 1 .. largest().
    std::uint32_t get(const plot::ImageView& image);
    int largest() const;
    /// Frees what the frame did not draw.
    void end_frame();
    std::int64_t uploads() const { return uploads_; }

  private:
    struct Entry {
        std::uint32_t texture = 0;
        bool drawn = false;
    };
    std::map<std::uint64_t, Entry> entries_;
    std::int64_t uploads_ = 0;
};

}  // namespace ropescope::gui
