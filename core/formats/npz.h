// NumPy's .npz: a zip archive, stored or deflated, of .npy members.
#pragma once

#include <filesystem>
#include <vector>

#include "core/formats/tensor.h"

namespace ropescope {

/// Every member, named without its ".npy".
std::vector<Tensor> read_npz(const std::filesystem::path& path);
/// The same, from the members' headers alone.
std::vector<TensorInfo> list_npz(const std::filesystem::path& path);

}  // namespace ropescope
