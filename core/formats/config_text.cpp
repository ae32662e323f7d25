// Reads a config.json, given by its own path or by its folder.
#include "core/formats/config_text.h"

#include "core/base/file.h"

namespace ropescope {

ConfigText read_config_text(const std::filesystem::path& path) {
    return read_config_text(path_kind(path) == PathKind::folder
                                ? OpenedFile(path / "config.json", Allowed::regular_file)
                                : OpenedFile(path));
}

ConfigText read_config_text(OpenedFile file) {
    constexpr std::size_t kMostBytes = std::size_t{1} << 24;
    const std::string origin = file.path().string();
    return {std::move(file).text(kMostBytes), origin};
}

}  // namespace ropescope
