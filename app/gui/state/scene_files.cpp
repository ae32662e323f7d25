// Saves scenes, and carries what the window remembers.
#include "app/gui/state/scene_files.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>

#include "app/gui/state/app_state.h"
#include "app/gui/state/preferences.h"
#include "app/scene/scene_json.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/write_file.h"
#include "core/formats/npy.h"
#include "core/formats/safetensors.h"

namespace ropescope::gui {

namespace fs = std::filesystem;

bool save_scene(AppState& state, const std::string& typed) {
    fs::path path = without_tilde(typed);
    if (path.extension() != ".json") {
        path += ".json";
    }
    try {
        write_file_whole(path, scene_to_json(state.scene));
    } catch (const InputError& refused) {
        state.error = refused.what();
        return false;
    }
    state.error.clear();
    state.scene_path = whole_path(path).string();
    remember_opened(state, state.scene_path);
    state.notice.say("saved " + state.scene_path);
    return true;
}

void remember_opened(AppState& state, const std::string& target) {
    std::erase(state.recent, target);
    state.recent.insert(state.recent.begin(), target);
    state.recent.resize(std::min(state.recent.size(), kMostRecent));
}

Preferences preferences_of(const AppState& state) {
    return {.theme = std::string(state.theme.name),
            .type_size = state.type_size,
            .width = 0,
            .height = 0,
            .recent = state.recent,
            .scene = scene_to_json(state.lessons.own_scene.value_or(state.scene))};
}

void apply_preferences(AppState& state, const Preferences& preferences, bool with_scene) {
    state.theme = plot::theme_by_name(preferences.theme);
    state.type_size = preferences.type_size;
    state.recent = preferences.recent;
    if (!with_scene || preferences.scene.empty()) {
        return;
    }
    try {
        const Scene scene = scene_from_json(preferences.scene, "the last scene");
        figures::view_by_id(scene.view);
        state.scene = scene;
    } catch (const InputError& refused) {
        state.notice.say(refused.what());
    }
}

bool must_ask(AppState& state, const std::string& typed) {
    const std::string path = without_tilde(typed);
    std::error_code unknown;
    if (!fs::is_regular_file(path, unknown) || state.asked_to_replace == path) {
        return false;
    }
    state.asked_to_replace = path;
    state.error = fmt::format("{} is there already; press Enter once more to replace it", path);
    return true;
}

// Replaces "~" by the user's home folder.

std::string without_tilde(std::string_view path) {
    const char* home = std::getenv("HOME");
    const bool replaced = home != nullptr && *home != '\0' && path.starts_with('~') &&
                          (path.size() == 1 || path[1] == '/');
    return replaced ? std::string(home) + std::string(path.substr(1)) : std::string(path);
}

bool looks_like_path(std::string_view text) {
    return text.starts_with('/') || text.starts_with('~') || text.starts_with("./") ||
           text.starts_with("../");
}

// Looks into a file's header.

bool is_dump_file(const std::filesystem::path& path) {
    if (path_kind(path) != PathKind::file) {
        return false;
    }
    try {
        OpenedFile opened(path);
        if (!is_safetensors(opened)) {
            return is_npz(opened);
        }
        const SafetensorsFile file = SafetensorsFile::open(std::move(opened));
        const bool rotated = std::ranges::any_of(file.tensors(), [](const TensorBytes& tensor) {
            return tensor.name.ends_with("q_rot") || tensor.name.ends_with("k_rot");
        });
        // Weights are named by the modules that they lie in. What is not is meant as a dump, and
        // the diagnosis says which names it expects.
        const bool weights = std::ranges::any_of(file.tensors(), [](const TensorBytes& tensor) {
            return tensor.name.find('.') != std::string::npos;
        });
        return rotated || (!weights && !file.tensors().empty());
    } catch (const InputError&) {
        return false;
    }
}

bool is_scene_file(const std::filesystem::path& path) {
    if (path_kind(path) != PathKind::file || path.extension() != ".json") {
        return false;
    }
    try {
        const std::string text = read_file(path, kMostSceneBytes);
        return text.find("\"ropescope_scene\"") != std::string::npos;
    } catch (const InputError&) {
        return false;
    }
}

std::filesystem::path model_of(const std::filesystem::path& path) {
    const bool weights = path.extension() == ".safetensors" &&
                         path_kind(path.parent_path() / "config.json") == PathKind::file;
    return weights ? path.parent_path() : path;
}

}  // namespace ropescope::gui
