// The text of a model's config.json, or the metadata of a GGUF file as such a text.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/file.h"

namespace ropescope {

struct ConfigText {
    std::string text;
    std::string origin;  ///< the file's path, for messages
};

/// Reads `path`, or the config.json in the folder `path`, which must be a regular file; at most
/// kMaxJsonBytes; of a GGUF file, its metadata. Throws InputError with the path and the reason,
/// also for a file that lies beside a config.json and is about something else (tokenizer.json).
ConfigText read_config_text(const std::filesystem::path& path, Allowed allowed = Allowed::anything);
ConfigText read_config_text(OpenedFile file);

/// Whether a name that is not a preset's is meant as a path: names of presets have neither a slash
/// nor the ending of a file, and there is something at a path.
bool is_path(const std::string& name);

}  // namespace ropescope
