// What the global options stand for.
#include <cstdio>
#include <fmt/format.h>

#include "app/cli/cli.h"
#include "app/figures/view.h"
#include "app/headless/egl_context.h"
#include "app/headless/offscreen_engine.h"
#include "app/scene/parameters.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/suggest.h"
#include "core/engine/fallback_engine.h"

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

namespace {

/// The GPU where there is one. Its failing to open is told and no error: nobody insisted on it.
std::unique_ptr<Engine> best_engine(const std::string& device) {
    if (device.empty() && !headless::has_hardware_device()) {
        return make_cpu_engine();
    }
    const auto tell = [](const std::string& line) { fmt::print(stderr, "ropescope: {}\n", line); };
    try {
        return make_fallback_engine(
            headless::make_offscreen_engine(device.empty() ? "hardware" : device),
            make_cpu_engine(), tell);
    } catch (const CapabilityError& error) {
        tell(fmt::format("computing on the CPU: {}", error.what()));
        return make_cpu_engine();
    }
}

}  // namespace

std::unique_ptr<Engine> engine_from(const GlobalOptions& options) {
    if (options.engine == "cpu") {
        return make_cpu_engine();
    }
    if (options.engine == "gpu") {
        try {
            return headless::make_offscreen_engine(options.device);
        } catch (const CapabilityError& error) {
            throw CapabilityError(
                fmt::format("--engine gpu: {}; --engine cpu works", error.what()));
        }
    }
    if (options.engine == "auto") {
        return best_engine(options.device);
    }
    const std::vector<std::string> names = {"auto", "cpu", "gpu"};
    throw InputError("--engine: '" + options.engine + "' is not one of auto, cpu, gpu" +
                     did_you_mean(options.engine, names));
}

}  // namespace ropescope::cli
