// Makes the scene of --scene and --set.
#include "app/cli/picture_options.h"

#include "app/cli/output.h"
#include "app/figures/view.h"
#include "app/scene/scene_json.h"
#include "app/scene/settings.h"
#include "app/scene/several_axes.h"
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

}  // namespace ropescope::cli
