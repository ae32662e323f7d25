// Makes the scene of --scene and --set.
#include "app/cli/picture_options.h"

#include "app/cli/output.h"
#include "app/figures/view.h"
#include "app/scene/axes_grid.h"
#include "app/scene/scene_json.h"
#include "app/scene/settings.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/file.h"

namespace ropescope::cli {

Scene scene_from(const GlobalOptions& options) {
    Scene scene;
    if (!options.scene_file.empty()) {
        scene = scene_from_json(read_file(options.scene_file, kMostSceneBytes), options.scene_file);
    }
    scene = apply_settings(std::move(scene), options.settings);
    figures::view_by_id(scene.view);  // a mistyped view is refused, whether or not it is drawn
    if (const Model found = open_scene_model(scene.model); found.text) {
        tell_assumptions(*found.text);
    }
    return scene;
}

// Tells pages by the ending of their names.

bool is_page(const std::filesystem::path& path) {
    return lower_case(path.extension().string()) == ".html";
}

void require_page_ending(const std::filesystem::path& path) {
    if (!is_page(path)) {
        throw InputError(path.string() + " is not the name of a page; end it in .html");
    }
}

}  // namespace ropescope::cli
