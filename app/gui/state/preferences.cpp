// Reads and writes the file of preferences.
#include "app/gui/state/preferences.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "app/gui/state/shared_file.h"
#include "app/plot/color.h"
#include "app/plot/render_figure.h"

namespace ropescope::gui {
namespace {

namespace fs = std::filesystem;

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
T value_or(const nlohmann::json& json, const char* key, T otherwise) {
    try {
        return json.contains(key) ? json.at(key).get<T>() : otherwise;
    } catch (const nlohmann::json::exception&) {
        return otherwise;
    }
}

Preferences from_json(const nlohmann::json& json) {
    Preferences read;
    const std::string theme = value_or(json, "theme", read.theme);
    read.theme = is_theme(theme) ? theme : read.theme;
    const double size = value_or(json, "type_size", read.type_size);
    read.type_size = size >= kLeastTypeSize && size <= kMostTypeSize ? size : 1;
    // As doubles: JSON may have numbers that no int holds.
    const auto side = [&](const char* key) {
        return static_cast<int>(std::clamp(value_or(json, key, 0.0), 0.0, plot::kLargestSide));
    };
    read.width = side("width");
    read.height = side("height");
    for (const std::string& name : value_or(json, "recent", read.recent)) {
        if (read.recent.size() < kMostRecent && std::ranges::count(read.recent, name) == 0) {
            read.recent.push_back(name);
        }
    }
    read.scene = value_or(json, "scene", read.scene);
    return read;
}

/// What was opened last in all windows: first what this one has opened since `before`, then what
/// the file names.
std::vector<std::string> merged_recent(const std::vector<std::string>& before,
                                       const std::vector<std::string>& own,
                                       std::vector<std::string> in_file) {
    // Opening puts a name to the front and leaves the others in their order, so the names that are
    // new are those before the longest end of `own` that is what is left of `before`.
    std::ptrdiff_t opened = 0;
    const auto is_new = [&](const std::string& name) {
        const auto end = own.begin() + opened;
        return std::find(own.begin(), end, name) != end;
    };
    const auto rest_is_as_before = [&] {
        std::vector<std::string> rest = before;
        std::erase_if(rest, is_new);
        rest.resize(std::min<std::size_t>(rest.size(), own.size() - opened));
        return std::equal(own.begin() + opened, own.end(), rest.begin(), rest.end());
    };
    while (opened < std::ssize(own) && !rest_is_as_before()) {
        ++opened;
    }
    std::vector<std::string> merged(own.begin(), own.begin() + opened);
    for (std::string& name : in_file) {
        if (std::ranges::find(merged, name) == merged.end() && merged.size() < kMostRecent) {
            merged.push_back(std::move(name));
        }
    }
    return merged;
}

/// The file's object with what this window has changed since `before`.
nlohmann::json with_changes(nlohmann::json object, const Preferences& before,
                            const Preferences& own) {
    const bool alone = object.is_null();
    const Preferences there = alone ? own : from_json(object);
    const auto set = [&](const char* key, auto member) {
        object[key] = own.*member == before.*member ? there.*member : own.*member;
    };
    set("theme", &Preferences::theme);
    set("type_size", &Preferences::type_size);
    set("width", &Preferences::width);
    set("height", &Preferences::height);
    set("scene", &Preferences::scene);
    object["recent"] = alone ? own.recent : merged_recent(before.recent, own.recent, there.recent);
    return object;
}

SharedFile shared(const fs::path& path) {
    return {.path = path, .most_bytes = kMostPreferenceBytes, .check = [](const auto&) {}};
}

}  // namespace

fs::path preferences_file() {
    fs::path folder = folder_in("XDG_CONFIG_HOME");
    if (folder.empty() && !folder_in("HOME").empty()) {
        folder = folder_in("HOME") / ".config";
    }
    return folder.empty() ? fs::path() : folder / "ropescope" / "window.json";
}

LoadedPreferences PreferenceFile::load() {
    LoadedPreferences loaded;
    loaded.remark = read_shared(shared(path_), [&](const nlohmann::json& object) {
        loaded.preferences = from_json(object);
    });
    before_ = loaded.preferences;
    return loaded;
}

std::string PreferenceFile::save(const Preferences& own) {
    std::string refused = update_shared(shared(path_), [&](const nlohmann::json& object) {
        return with_changes(object, before_, own);
    });
    if (refused.empty()) {
        before_ = own;
    }
    return refused;
}

}  // namespace ropescope::gui
