// Arrays that a reader has dropped together.
#pragma once

#include <filesystem>

namespace ropescope::web {

/// The .npy files of a folder as one dump in their place, a .safetensors file whose tensors have
/// the names of the files. Throws InputError that names the file, as read_npy() does.
void join_arrays(const std::filesystem::path& folder);

}  // namespace ropescope::web
