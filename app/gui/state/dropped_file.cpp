// Looks into a file's header.
#include "app/gui/state/dropped_file.h"

#include <algorithm>

#include "app/scene/scene_json.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/formats/npy.h"
#include "core/formats/safetensors.h"

namespace ropescope::gui {

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
        return std::ranges::any_of(file.tensors(), [](const TensorBytes& tensor) {
            return tensor.name.ends_with("q_rot") || tensor.name.ends_with("k_rot");
        });
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
