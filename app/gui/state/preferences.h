// What the window remembers from one start to the next, in a file of the user's configuration.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace ropescope::gui {

struct Preferences {
    std::string theme = "dark";
    double type_size = 1;                  ///< times the theme's type
    int width = 0, height = 0;             ///< of the window, in units; 0: as the monitor allows
    std::vector<std::string> recent = {};  ///< paths and ids that were opened, the last first
    std::string scene = {};                ///< the last one, as JSON; empty: none

    bool operator==(const Preferences&) const = default;
};

inline constexpr std::size_t kMostRecent = 8;
/// Of the file.
inline constexpr std::size_t kMostPreferenceBytes = std::size_t{1} << 20;
/// Of Preferences::type_size.
inline constexpr double kLeastTypeSize = 0.6, kMostTypeSize = 2.5;

/// ropescope/window.json in XDG_CONFIG_HOME, or in .config of the user's folder. Empty if neither
/// is known; relative paths count as unknown, as the XDG specification says.
std::filesystem::path preferences_file();

struct LoadedPreferences {
    Preferences preferences;
    std::string remark;  ///< one line, if the file could not be used
};

/// The file of one window. Several windows keep one file: each writes what its user has changed
/// since it last read or wrote, and leaves the rest as the others have written it.
class PreferenceFile {
  public:
    /// With an empty path nothing is read or written.
    explicit PreferenceFile(std::filesystem::path path) : path_(std::move(path)) {}

    bool is_kept() const { return !path_.empty(); }
    /// Values that are missing or not possible are the default ones. A file that cannot be used is
    /// set aside (shared_file.h), and the remark says so. Never throws.
    LoadedPreferences load();
    /// Writes what `own` has that is new. Returns why it could not be written, in one line; empty
    /// if it was.
    std::string save(const Preferences& own);

  private:
    std::filesystem::path path_;
    Preferences before_;  ///< as this window had them when it last read or wrote
};

}  // namespace ropescope::gui
