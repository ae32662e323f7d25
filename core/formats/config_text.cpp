// Reads a config.json, given by its own path or by its folder.
#include "core/formats/config_text.h"

#include <algorithm>
#include <string_view>

#include "core/formats/json_object.h"

namespace ropescope {

ConfigText read_config_text(const std::filesystem::path& path, Allowed allowed) {
    return read_config_text(path_kind(path) == PathKind::folder
                                ? OpenedFile(path / "config.json", Allowed::regular_file)
                                : OpenedFile(path, allowed));
}

ConfigText read_config_text(OpenedFile file) {
    const std::string origin = file.path().string();
    return {std::move(file).text(kMaxJsonBytes), origin};
}

bool is_path(const std::string& name) {
    const std::string_view endings[] = {".json", ".safetensors", ".npy", ".npz"};
    return name.find('/') != name.npos || path_kind(name) != PathKind::nothing ||
           std::ranges::any_of(endings,
                               [&](std::string_view ending) { return name.ends_with(ending); });
}

}  // namespace ropescope
