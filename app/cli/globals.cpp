// What the global options stand for.
#include <cstdio>
#include <fmt/format.h>

#include "app/cli/cli.h"
#include "app/figures/view.h"
#include "app/headless/egl_context.h"
#include "app/headless/offscreen_engine.h"
#include "app/scene/scene_json.h"
#include "app/scene/settings.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/printable.h"
#include "core/base/suggest.h"
#include "core/formats/inspection.h"

namespace ropescope::cli {

Scene scene_from(const GlobalOptions& options) {
    Scene scene;
    if (!options.scene_file.empty()) {
        scene = scene_from_json(read_file(options.scene_file), options.scene_file);
    }
    scene = apply_settings(std::move(scene), options.settings);
    figures::view_by_id(scene.view);  // a mistyped view is refused, whether or not it is drawn
    if (const Inspection found = open_model(scene.model); found.model) {
        tell_assumptions(*found.model);
    }
    return scene;
}

void tell_assumptions(std::string_view place, const std::vector<std::string>& assumptions) {
    for (const std::string& assumption : assumptions) {
        fmt::print(stderr, "ropescope: {}: assumed: {}\n", printable(place), assumption);
    }
}

void tell_assumptions(const ModelConfig& model) {
    if (model.confidence == Confidence::inferred) {
        fmt::print(stderr, "ropescope: {}: inferred, not known, as follows\n", printable(model.id));
    }
    tell_assumptions(model.id, model.assumptions);
}

namespace {

void tell(const std::string& line) {
    fmt::print(stderr, "ropescope: {}\n", line);
}

/// The GPU if there is one. If it cannot be opened, we report that and use the CPU: the user did
/// not ask for the GPU explicitly. If all devices are software there is nothing to report: the CPU
/// is the better choice.
std::unique_ptr<Engine> best_engine(const GlobalOptions& options, const OpenGpu& open,
                                    Fallback fallback) {
    if (!gpu_is_likely(options)) {
        if (!headless::has_device()) {
            tell("computing on the CPU: this machine has no OpenGL through EGL");
        }
        return make_cpu_engine();
    }
    try {
        return open(gpu_device(options), std::move(fallback));
    } catch (const CapabilityError& error) {
        tell(fmt::format("computing on the CPU: {}", error.what()));
        return make_cpu_engine();
    }
}

std::unique_ptr<Engine> chosen_engine(const GlobalOptions& options, const OpenGpu& open,
                                      Fallback fallback) {
    switch (engine_wish(options)) {
        case EngineWish::cpu:
            return make_cpu_engine();
        case EngineWish::gpu:
            return with_remedy("--engine gpu",
                               [&] { return open(gpu_device(options), std::move(fallback)); });
        case EngineWish::automatic:
            break;
    }
    return best_engine(options, open, std::move(fallback));
}

}  // namespace

EngineWish engine_wish(const GlobalOptions& options) {
    if (options.engine == "auto") {
        return EngineWish::automatic;
    }
    if (options.engine == "cpu" || options.engine == "gpu") {
        return options.engine == "cpu" ? EngineWish::cpu : EngineWish::gpu;
    }
    const std::vector<std::string> names = {"auto", "cpu", "gpu"};
    throw InputError(fmt::format("--engine: '{}' is not one of auto, cpu, gpu{}", options.engine,
                                 did_you_mean(options.engine, names)));
}

bool gpu_is_likely(const GlobalOptions& options) {
    return !options.device.empty() || headless::has_hardware_device();
}

std::string gpu_device(const GlobalOptions& options) {
    const bool any = !options.device.empty() || engine_wish(options) == EngineWish::gpu;
    return any ? options.device : "hardware";
}

std::unique_ptr<Engine> open_gpu(const std::string& device, Fallback fallback) {
    return headless::make_offscreen_engine({.device = device}, std::move(fallback));
}

std::unique_ptr<Engine> engine_from(const GlobalOptions& options, const OpenGpu& open) {
    return chosen_engine(options, open, {.engine = make_cpu_engine(), .tell = tell});
}

std::unique_ptr<Engine> exact_engine_from(const GlobalOptions& options, const OpenGpu& open) {
    return chosen_engine(options, open, {});
}

}  // namespace ropescope::cli
