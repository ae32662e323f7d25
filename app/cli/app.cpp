// `ropescope app`, also what `ropescope` alone does: the desktop window.
#include "app/cli/cli.h"
#include "app/gui/window.h"
#include "app/headless/offscreen_engine.h"

namespace ropescope::cli {
namespace {

/// Every thread of the window opens a context of its own, when it first needs one, and all of them
/// on one device. A GPU that was asked for is opened before there is a window: without it there
/// shall be none.
gui::AppEngines engines_from(const GlobalOptions& options) {
    const EngineWish wish = engine_wish(options);
    const gui::EngineSource source(
        [device = headless::OneDevice(gpu_device(options))] { return device.open(); });
    gui::AppEngines engines{.source = source};
    if (wish == EngineWish::gpu) {
        engines.gpu = with_remedy("--engine gpu", [&] { return source.gpu(); });
    }
    engines.gpu_wanted =
        wish == EngineWish::gpu || (wish == EngineWish::automatic && gpu_is_likely(options));
    return engines;
}

}  // namespace

Command add_app(CLI::App& parent, GlobalOptions& options) {
    CLI::App* app = parent.add_subcommand("app", "Opens the desktop app (the default command)");
    const auto app_options = std::make_shared<gui::AppOptions>();
    app->add_option("--theme", app_options->theme, "Colours to start with (default dark)")
        ->type_name("dark|light|projector");
    app->add_flag("--time-to-first-frame", app_options->time_first_frame,
                  "Print how long the first frame took after the process began, and end");
    return {app,
            [&options, app_options] {
                const Scene scene = scene_from(options);
                gui::run_app(scene, engines_from(options), *app_options);
                return 0;
            },
            kPictureOptions};
}

}  // namespace ropescope::cli
