// `ropescope app`: opens the desktop window, as `ropescope` alone does.
#include "app/cli/engines.h"
#include "app/cli/picture_options.h"
#include "app/gui/window.h"
#include "app/headless/offscreen_engine.h"

namespace ropescope::cli {
namespace {

/// Each thread of the window opens a context of its own when it first needs one. All of them are on
/// one device, and they share with the window's context if possible. If the user asked for the GPU
/// and there is none, no window opens.
gui::AppEngines engines_from(const GlobalOptions& options) {
    const std::optional<EngineKind> wanted = wanted_engine(options);
    const headless::SharedDevice device(gpu_device(options));
    const gui::EngineSource source(
        [device](Fallback fallback) { return device.open(std::move(fallback)); });
    return {.source = source,
            .with_context = [device, source, wanted]() -> std::unique_ptr<Engine> {
                device.share_with_current_context();
                return wanted == EngineKind::gpu
                           ? with_remedy("--engine gpu", [&] { return source.gpu(); })
                           : nullptr;
            },
            .gpu_wanted = wanted == EngineKind::gpu || (!wanted && gpu_is_likely(options))};
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
