// Finds out what a path contains: the config.json of a model, tensors, or both.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/file.h"
#include "core/formats/config_text.h"
#include "core/formats/tensor.h"

namespace ropescope {

struct TensorFile {
    std::string path;
    std::string format;               ///< "safetensors", "npy", "npz"
    std::vector<TensorInfo> tensors;  ///< in the order of the file
    std::map<std::string, std::string> metadata;

    std::int64_t count() const;  ///< of values, in all tensors together
    std::int64_t bytes() const;
};

/// The number of values in a tensor.
std::int64_t count_of(const TensorInfo& tensor);

struct Inspection {
    std::vector<TensorFile> files = {};  ///< of a folder: its .safetensors, by name
    ConfigText config = {};              ///< not read yet; empty if there is none
};

/// A config.json, a .gguf, .safetensors, .npy or .npz (recognised by the name, else by the first
/// bytes), or a folder with a config.json, .safetensors files or both. Headers are read, data are
/// not. Whatever is `allowed`, a folder's files must be regular ones. Throws InputError naming what
/// is expected.
Inspection list_contents(const std::filesystem::path& path, Allowed allowed = Allowed::anything);

}  // namespace ropescope
