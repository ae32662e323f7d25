// Frames as an animation: apng and folders by this program, gif and mp4 by ffmpeg.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ropescope::cli {

/// Looks at the name before any work. Throws InputError for an ending that is not known and for a
/// folder that exists, CapabilityError if ffmpeg is needed and not found.
void require_animation(const std::filesystem::path& path);

/// Writes the frames, each the bytes of a PNG of the same size, whole or not at all.
void write_animation(const std::filesystem::path& path, const std::vector<std::string>& frames,
                     int frames_per_second);

}  // namespace ropescope::cli
