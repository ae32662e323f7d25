// The text of a model's config.json.
#pragma once

#include <filesystem>
#include <string>

namespace ropescope {

class OpenedFile;

struct ConfigText {
    std::string text;
    std::string origin;  ///< the file's path, for messages
};

/// Reads `path`, or the config.json in the folder `path`; at most 16 MiB, far beyond any
/// configuration. Throws InputError that names the path and the reason.
ConfigText read_config_text(const std::filesystem::path& path);
ConfigText read_config_text(OpenedFile file);

}  // namespace ropescope
