// Reads a config.json, given by its own path or by its folder, or the metadata of a GGUF file.
#include "core/formats/config_text.h"

#include <algorithm>
#include <string_view>

#include "core/formats/gguf/file.h"
#include "core/formats/json_object.h"

namespace ropescope {

ConfigText read_config_text(const std::filesystem::path& path, Allowed allowed) {
    return read_config_text(path_kind(path) == PathKind::folder
                                ? OpenedFile(path / "config.json", Allowed::regular_file)
                                : OpenedFile(path, allowed));
}

ConfigText read_config_text(OpenedFile file) {
    // A file that is called so and is none gets the refusal of the format.
    if (gguf::is_gguf(file) || file.path().extension() == ".gguf") {
        return gguf::read_metadata_text(std::move(file));
    }
    const std::string origin = file.path().string();
    return {std::move(file).text(kMaxJsonBytes), origin};
}

bool is_path(const std::string& name) {
    const std::string_view endings[] = {".json", ".gguf", ".safetensors", ".npy", ".npz"};
    return name.find('/') != name.npos || path_kind(name) != PathKind::nothing ||
           std::ranges::any_of(endings,
                               [&](std::string_view ending) { return name.ends_with(ending); });
}

}  // namespace ropescope
