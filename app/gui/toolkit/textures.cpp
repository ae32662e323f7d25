// Uploads pictures and frees those that a frame no longer draws.
#include "app/gui/toolkit/textures.h"

#include <cstring>
#include <epoxy/gl.h>

namespace ropescope::gui {
namespace {

/// 64 bits over size and content; collisions are as unlikely as for any mixing hash.
std::uint64_t content_hash(const plot::ImageView& image) {
    constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15U;
    std::uint64_t hash =
        static_cast<std::uint64_t>(image.width) * kMix ^ static_cast<std::uint64_t>(image.height);
    const auto mix = [&](std::uint64_t word) {
        hash = (hash ^ word) * kMix;
        hash ^= hash >> 32;
    };
    const std::size_t count = image.pixels.size();
    for (std::size_t i = 0; i + 1 < count; i += 2) {
        std::uint64_t word = 0;
        std::memcpy(&word, &image.pixels[i], sizeof word);
        mix(word);
    }
    if (count % 2 == 1) {
        std::uint32_t word = 0;
        std::memcpy(&word, &image.pixels[count - 1], sizeof word);
        mix(word);
    }
    return hash;
}

}  // namespace

std::uint32_t make_texture(std::int64_t width, std::int64_t height, const plot::Color* pixels) {
    GLuint texture = 0;
    GLint before = 0;
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &before);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, static_cast<GLsizei>(width),
                 static_cast<GLsizei>(height), 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(before));
    return texture;
}

Textures::~Textures() {
    for (const auto& [hash, entry] : entries_) {
        glDeleteTextures(1, &entry.texture);
    }
}

std::uint32_t Textures::get(const plot::ImageView& image) {
    Entry& entry = entries_[content_hash(image)];
    if (entry.texture == 0) {
        entry.texture = make_texture(image.width, image.height, image.pixels.data());
        ++uploads_;
    }
    entry.drawn = true;
    return entry.texture;
}

int Textures::largest() const {
    GLint size = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &size);
    return size;
}

void Textures::end_frame() {
    for (auto it = entries_.begin(); it != entries_.end();) {
        if (it->second.drawn) {
            it->second.drawn = false;
            ++it;
        } else {
            glDeleteTextures(1, &it->second.texture);
            it = entries_.erase(it);
        }
    }
}

}  // namespace ropescope::gui
