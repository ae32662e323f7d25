// Reads and writes the file of preferences.
#include "app/gui/state/preferences.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <system_error>

#include "app/plot/color.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/write_file.h"
#include "core/formats/json_object.h"

namespace ropescope::gui {
namespace {

namespace fs = std::filesystem;
using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t kMostPreferenceBytes = std::size_t{1} << 20;
constexpr int kLargestSide = 16384;

fs::path folder_in(const char* variable) {
    const char* value = std::getenv(variable);
    const fs::path path = value == nullptr ? "" : value;
    return path.is_absolute() ? path : fs::path();
}

bool is_theme(const std::string& name) {
    const auto names = {plot::dark_theme().name, plot::light_theme().name,
                        plot::projector_theme().name};
    return std::ranges::find(names, name) != names.end();
}

template <typename T>
T value_or(const OrderedJson& json, const char* key, T otherwise) {
    try {
        return json.contains(key) ? json.at(key).get<T>() : otherwise;
    } catch (const OrderedJson::exception&) {
        return otherwise;
    }
}

Preferences from_json(const OrderedJson& json) {
    Preferences read;
    const std::string theme = value_or(json, "theme", read.theme);
    read.theme = is_theme(theme) ? theme : read.theme;
    const double size = value_or(json, "type_size", read.type_size);
    read.type_size = size >= kLeastTypeSize && size <= kMostTypeSize ? size : 1;
    read.width = std::clamp(value_or(json, "width", 0), 0, kLargestSide);
    read.height = std::clamp(value_or(json, "height", 0), 0, kLargestSide);
    read.recent = value_or(json, "recent", read.recent);
    read.recent.resize(std::min(read.recent.size(), kMostRecent));
    read.scene = value_or(json, "scene", read.scene);
    return read;
}

/// Keeps the file for its owner to look at.
std::string set_aside(const fs::path& file) {
    const fs::path aside = file.string() + ".broken";
    std::error_code failed;
    fs::rename(file, aside, failed);
    return failed ? fmt::format("{} cannot be read; the window starts with its defaults",
                                file.string())
                  : fmt::format("what the window remembered cannot be read; it is now {}",
                                aside.string());
}

}  // namespace

fs::path preferences_file() {
    fs::path folder = folder_in("XDG_CONFIG_HOME");
    if (folder.empty() && !folder_in("HOME").empty()) {
        folder = folder_in("HOME") / ".config";
    }
    return folder.empty() ? fs::path() : folder / "ropescope" / "window.json";
}

LoadedPreferences load_preferences(const fs::path& file) {
    try {
        if (path_kind(file) == PathKind::nothing) {
            return {};
        }
        const std::string text = read_file(file, kMostPreferenceBytes, Allowed::regular_file);
        return {from_json(parse_json_object(text, file.string())), ""};
    } catch (const std::exception&) {
        return {{}, set_aside(file)};
    }
}

std::string save_preferences(const fs::path& file, const Preferences& preferences) {
    try {
        std::error_code failed;
        fs::create_directories(file.parent_path(), failed);
        const OrderedJson json = {
            {"theme", preferences.theme},   {"type_size", preferences.type_size},
            {"width", preferences.width},   {"height", preferences.height},
            {"recent", preferences.recent}, {"scene", preferences.scene}};
        write_file_whole(file,
                         json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n");
        return "";
    } catch (const std::exception& refused) {
        return refused.what();
    }
}

}  // namespace ropescope::gui
