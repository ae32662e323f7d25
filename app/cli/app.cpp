// `ropescope app`: opens the desktop window, as `ropescope` alone does.
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <unistd.h>

#include "app/cli/engines.h"
#include "app/cli/output.h"
#include "app/cli/picture_options.h"
#include "app/gui/state/preferences.h"
#include "app/gui/window.h"
#include "app/headless/offscreen_engine.h"
#include "core/base/write_file.h"

namespace ropescope::cli {
namespace {

/// Each thread of the window opens a context of its own when it first needs one. All of them are on
/// one device, and they share with the window's context if possible. If the user asked for the GPU
/// and there is none, no window opens.
gui::AppEngines window_engines(const GlobalOptions& options) {
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

/// Milliseconds since the kernel started this process, loading the program included. Linux gives
/// them in ticks of 10 ms. Negative if they are not known.
double process_age_ms() {
    std::ifstream file("/proc/self/stat");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::size_t name_end = text.rfind(')');
    if (name_end == std::string::npos) {
        return -1;
    }
    // Field 22 of proc(5); the third one follows the name.
    std::istringstream fields(text.substr(name_end + 1));
    std::string field;
    for (int i = 3; i <= 22; ++i) {
        fields >> field;
    }
    timespec now{};
    if (!fields || clock_gettime(CLOCK_BOOTTIME, &now) != 0) {
        return -1;
    }
    const double started = std::stod(field) / static_cast<double>(sysconf(_SC_CLK_TCK));
    const double seconds =
        static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
    return (seconds - started) * 1e3;
}

struct WindowArguments {
    std::string theme = "dark";
    bool theme_given = false;
    bool time_to_first_frame = false;
    bool fresh = false;
    std::string lesson;
};

/// Ends the process at once: destructors would talk to the server.
int end_without_display(void* /*display*/) {
    tell(
        "app: the X server has ended, and the window with it; start ropescope again on one that "
        "runs");
    remove_temporary_files();
    std::_Exit(kCapabilityMissing);
}

/// What the window shows if nobody says otherwise: a few pairs that turn.
Scene first_scene() {
    Scene scene;
    scene.view = "rotation";
    scene.pairs = {0, 4, 8, 16};
    return scene;
}

int run(const WindowArguments& arguments, const GlobalOptions& options) {
    const bool scene_given = !options.scene_file.empty() || !options.settings.empty();
    gui::AppOptions app{.theme = arguments.theme, .on_lost_display = end_without_display};
    app.lesson = arguments.lesson;
    app.theme_given = arguments.theme_given;
    app.tell = [](const std::string& line) { tell(line); };
    if (!arguments.time_to_first_frame && !arguments.fresh) {
        app.preferences = gui::preferences_file();
        app.restore_scene = !scene_given;
    }
    if (arguments.time_to_first_frame) {
        app.after_first_frame = [] {
            print(fmt::format("first frame {:.0f} ms after the process began\n", process_age_ms()));
        };
    }
    gui::run_app(scene_given ? scene_from(options) : first_scene(), window_engines(options), app);
    return 0;
}

}  // namespace

Command app_command(GlobalOptions& options) {
    const auto arguments = std::make_shared<WindowArguments>();
    return {.name = "app",
            .text = "Open the desktop app (the default command)",
            .options = {{.names = "--theme",
                         .target = &arguments->theme,
                         .type = "dark|light|projector",
                         .text = "Colours to start with (default: the last ones, at first dark)",
                         .given = &arguments->theme_given},
                        {.names = "--lesson",
                         .target = &arguments->lesson,
                         .type = "NAME",
                         .text = "Open this lesson, as ropescope lesson --list names it"},
                        {.names = "--fresh",
                         .target = &arguments->fresh,
                         .text = "Start with the defaults, and remember nothing"},
                        {.names = "--time-to-first-frame",
                         .target = &arguments->time_to_first_frame,
                         .text = "Print how long after the start of the process the first frame is "
                                 "drawn, and end"}},
            .run = [arguments, &options] { return run(*arguments, options); },
            .reads = options_of_pictures(),
            .footer = R"(Examples:
  ropescope app
  ropescope app --set model=llama-3-8b
  ropescope app --lesson one-pair --theme projector
  ropescope --scene lecture.json app)"};
}

}  // namespace ropescope::cli
