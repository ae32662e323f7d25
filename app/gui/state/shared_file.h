// A small JSON file of the user's configuration that all windows keep together. Each window reads
// the file again before it writes, so that none loses what another one has kept.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ropescope::gui {

/// Where the file lies, and which contents are ours.
struct SharedFile {
    std::filesystem::path path;  ///< empty: it is kept nowhere
    std::size_t most_bytes = 0;
    /// Throws InputError or a JSON exception if the object is not one that we have written.
    std::function<void(const nlohmann::json&)> check;
};

/// Called with the object if the file is there and ours.
using TakeObject = std::function<void(const nlohmann::json&)>;
/// Returns the object to write; it gets the one of the file, or null if there is none.
using MergeObject = std::function<nlohmann::json(const nlohmann::json&)>;

/// Reads the file if there is one. A file that is not ours, is too long or is not a regular file is
/// renamed to NAME.broken, or NAME.broken-2 and so on if that name is taken. Returns one line that
/// says so; empty if nothing was wrong. Never throws, and never waits for a pipe.
std::string read_shared(const SharedFile& file, const TakeObject& take);

/// Reads the file, merges and writes it, whole or not at all, and makes the folder if there is
/// none. Other windows wait meanwhile. Returns why it could not be written, in one line; empty if
/// it was. Never throws.
std::string update_shared(const SharedFile& file, const MergeObject& merge);

}  // namespace ropescope::gui
