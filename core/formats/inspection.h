// Finds out what a path contains: the config.json of a model, tensors, or both; and whether a name
// is a path or a preset.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/file.h"
#include "core/formats/config_text.h"
#include "core/formats/model_config.h"
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
    std::optional<ModelConfig> model;
    std::vector<TensorFile> files;  ///< of a folder: its .safetensors, by name
    ConfigText config;              ///< what the model was read from; empty for a preset
};

/// A config.json, a .safetensors, .npy or .npz (recognised by the name, else by the first bytes),
/// or a folder with a config.json, .safetensors files or both. Headers are read, data are not.
/// Whatever is `allowed`, a folder's files must be regular ones. Throws InputError naming what is
/// expected.
Inspection inspect(const std::filesystem::path& path, Allowed allowed = Allowed::anything);
/// The same without reading the configuration: `config` has its text, and `model` stays empty.
Inspection list_contents(const std::filesystem::path& path, Allowed allowed = Allowed::anything);

/// The preset of that id (its model alone, no files), or else what the path holds: a config.json,
/// tensors or a folder of both. A name can be opened again and again, so a pipe is refused. Throws
/// InputError if there is neither, naming near matches for a name that is not a path, and for files
/// that cannot be read.
Inspection open_model(const std::string& name);

}  // namespace ropescope
