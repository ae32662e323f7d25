// `ropescope app`, also what `ropescope` alone does: the desktop window.
#include "app/cli/cli.h"
#include "app/gui/window.h"

namespace ropescope::cli {

Command add_app(CLI::App& parent, GlobalOptions& options) {
    CLI::App* app = parent.add_subcommand("app", "Opens the desktop app (the default command)");
    const auto app_options = std::make_shared<gui::AppOptions>();
    app->add_option("--theme", app_options->theme, "Colours to start with (default dark)")
        ->type_name("dark|light|projector");
    app->add_flag("--time-to-first-frame", app_options->time_first_frame,
                  "Print how long the first frame took after the process began, and end");
    return {app,
            [&options, app_options] {
                const std::unique_ptr<Engine> engine = engine_from(options);
                gui::run_app(scene_from(options), *engine, *app_options);
                return 0;
            },
            kPictureOptions};
}

}  // namespace ropescope::cli
