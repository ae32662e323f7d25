// What a file is that a user drops on the window.
#pragma once

#include <filesystem>

namespace ropescope::gui {

/// Whether the file is a .npz, or a .safetensors in which a tensor is named like a rotated query or
/// key (q_rot, k_rot), so that it can be diagnosed. False for everything else, and for what cannot
/// be read.
bool is_dump_file(const std::filesystem::path& path);

}  // namespace ropescope::gui
