// What the window remembers from one start to the next, in a file of the user's configuration.
#pragma once

#include <filesystem>
#include <string>
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
/// Of Preferences::type_size.
inline constexpr double kLeastTypeSize = 0.6, kMostTypeSize = 2.5;

/// ropescope/window.json in XDG_CONFIG_HOME, or in .config of the user's folder. Empty if neither
/// is known; relative paths count as unknown, as the XDG specification says.
std::filesystem::path preferences_file();

struct LoadedPreferences {
    Preferences preferences;
    std::string remark;  ///< one line, if the file could not be used
};
/// Values that are missing or not possible are the default ones. A file that is not JSON is renamed
/// to NAME.broken, and the remark says so. Never throws.
LoadedPreferences load_preferences(const std::filesystem::path& file);
/// Makes the folder if there is none. Returns why it could not be written, in one line; empty if it
/// was.
std::string save_preferences(const std::filesystem::path& file, const Preferences& preferences);

}  // namespace ropescope::gui
