// Makes the scene of --scene and --set.
#include "app/cli/picture_options.h"

#include "app/cli/output.h"
#include "app/figures/view.h"
#include "app/scene/scene_json.h"
#include "app/scene/settings.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/formats/inspection.h"

namespace ropescope::cli {

Scene scene_from(const GlobalOptions& options) {
    Scene scene;
    if (!options.scene_file.empty()) {
        scene = scene_from_json(read_file(options.scene_file, kMostSceneBytes), options.scene_file);
    }
    scene = apply_settings(std::move(scene), options.settings);
    figures::view_by_id(scene.view);  // a mistyped view is refused, whether or not it is drawn
    if (const Inspection found = open_model(scene.model); found.model) {
        tell_assumptions(*found.model);
    }
    return scene;
}

}  // namespace ropescope::cli
