// When a file was last written, so that a cache tells a file from itself after it was replaced.
#pragma once

#include <filesystem>
#include <optional>

namespace ropescope::figures {

/// Empty if there is no such file, or if its time cannot be read.
inline std::optional<std::filesystem::file_time_type> time_of(const std::filesystem::path& path) {
    std::error_code error;
    const auto time = std::filesystem::last_write_time(path, error);
    return error ? std::nullopt : std::optional(time);
}

}  // namespace ropescope::figures
