// Chooses and opens the engine of a command.
#include "app/cli/engines.h"

#include <functional>
#include <utility>

#include "app/cli/output.h"
#include "app/headless/egl_context.h"
#include "app/headless/offscreen_engine.h"
#include "core/base/names.h"

namespace ropescope::cli {
namespace {

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
    const std::optional<EngineKind> wanted = wanted_engine(options);
    if (!wanted) {
        return best_engine(options, open, std::move(fallback));
    }
    if (*wanted == EngineKind::cpu) {
        return make_cpu_engine();
    }
    return with_remedy("--engine gpu",
                       [&] { return open(gpu_device(options), std::move(fallback)); });
}

}  // namespace

std::vector<std::string> engine_words() {
    std::vector<std::string> words = enum_names<EngineKind>();
    words.insert(words.begin(), "auto");
    return words;
}

void require_engine_word(const GlobalOptions& options, const std::vector<std::string>& words) {
    element_named(words, std::identity(), options.engine, [&](const std::string& near) {
        return fmt::format("--engine: '{}' is not one of {}{}", options.engine,
                           fmt::join(words, ", "), near);
    });
}

std::optional<EngineKind> wanted_engine(const GlobalOptions& options) {
    require_engine_word(options, engine_words());
    return enum_value<EngineKind>(options.engine);
}

bool gpu_is_likely(const GlobalOptions& options) {
    return !options.device.empty() || headless::has_hardware_device();
}

std::string gpu_device(const GlobalOptions& options) {
    const bool any = !options.device.empty() || wanted_engine(options) == EngineKind::gpu;
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
