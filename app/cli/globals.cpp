// What the global options stand for.
#include "app/cli/cli.h"
#include "app/figures/view.h"
#include "app/scene/parameters.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/suggest.h"

namespace ropescope::cli {

Scene scene_from(const GlobalOptions& options) {
    Scene scene;
    if (!options.scene_file.empty()) {
        scene = scene_from_json(read_file(options.scene_file), options.scene_file);
    }
    scene = apply_settings(std::move(scene), options.settings);
    figures::view_by_id(scene.view);  // a mistyped view is refused, whether or not it is drawn
    return scene;
}

std::unique_ptr<Engine> engine_from(const GlobalOptions& options) {
    if (options.engine == "auto" || options.engine == "cpu") {
        return make_cpu_engine();
    }
    if (options.engine == "gpu") {
        throw CapabilityError("--engine gpu: no GPU engine is available here; --engine cpu works");
    }
    const std::vector<std::string> names = {"auto", "cpu", "gpu"};
    throw InputError("--engine: '" + options.engine + "' is not one of auto, cpu, gpu" +
                     did_you_mean(options.engine, names));
}

}  // namespace ropescope::cli
