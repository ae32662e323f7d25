// Frames as an animation, or as files in a folder.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace ropescope::pages {

/// Throws InputError if the name says no format or the folder is there already, CapabilityError if
/// ffmpeg is needed and not in PATH: before any work.
void require_animation(const std::filesystem::path& path);

/// Writes the frames, each the bytes of a PNG of the same size, whole or not at all: .apng by this
/// program, .gif and .mp4 by ffmpeg, which reads no standard input, and a folder for any other
/// name. `go_on` is called every now and then; what it throws ends the work, with ffmpeg. Throws
/// InputError and CapabilityError; nothing is left behind then.
void write_animation(const std::filesystem::path& path, const std::vector<std::string>& frames,
                     int frames_per_second, const std::function<void()>& go_on);

}  // namespace ropescope::pages
