// What a file is that a user opens or drops on the window.
#pragma once

#include <filesystem>

namespace ropescope::gui {

/// Whether the file is a .npz, or a .safetensors in which a tensor is named like a rotated query or
/// key (q_rot, k_rot), so that it can be diagnosed. False for everything else, and for what cannot
/// be read.
bool is_dump_file(const std::filesystem::path& path);

/// Whether the file is a scene file. False for everything else, and for what cannot be read.
bool is_scene_file(const std::filesystem::path& path);

/// What is opened for a .safetensors file that is no dump: the folder that it lies in, if there is
/// a config.json beside it. Any other path is returned as it is.
std::filesystem::path model_of(const std::filesystem::path& path);

}  // namespace ropescope::gui
