// Pictures as textures. A picture with the same content is uploaded once, as long as every frame
// draws it.
#pragma once

#include <cstdint>
#include <map>

#include "app/plot/painter.h"

namespace ropescope::gui {

/// Makes a texture of RGBA8 pixels with nearest-neighbour sampling and returns OpenGL's name of it.
/// `pixels` is null for those at the beginning of the buffer bound to GL_PIXEL_UNPACK_BUFFER.
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
    /// Frees the textures that the frame did not draw.
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
