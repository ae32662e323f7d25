// Reads a config.json, given by its own path or by its folder.
#include "core/formats/config_text.h"

#include "core/base/file.h"

namespace ropescope {

ConfigText read_config_text(const std::filesystem::path& path) {
    constexpr std::size_t kMostBytes = std::size_t{1} << 24;
    std::error_code ignored;
    const bool folder = std::filesystem::is_directory(path, ignored);
    const std::filesystem::path file = folder ? path / "config.json" : path;
    return {read_file(file, kMostBytes), file.string()};
}

}  // namespace ropescope
