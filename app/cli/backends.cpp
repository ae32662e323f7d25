// `ropescope backends`: lists what can compute and draw on this machine, and what would be used.
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/engines.h"
#include "app/cli/output.h"
#include "app/headless/egl_context.h"
#include "app/headless/offscreen_engine.h"
#include "core/base/error.h"
#include "core/base/index.h"

namespace ropescope::cli {
namespace {

struct EngineChoice {
    EngineKind kind = EngineKind::cpu;
    std::string device = {};
    bool used = false;
    std::string why_not = {};  ///< empty if it is available
};

struct Backends {
    std::vector<EngineChoice> engines;
    std::vector<headless::EglDevice> egl;
    /// The first usable device, which draws screenshots; null if there is none.
    const headless::EglDevice* used() const {
        const auto found = std::find_if(egl.begin(), egl.end(),
                                        [](const headless::EglDevice& d) { return d.usable; });
        return found == egl.end() ? nullptr : &*found;
    }
};

/// Both engines, and which of them the options select.
std::vector<EngineChoice> engines_of(const GlobalOptions& options) {
    const EngineKind used = engine_from(options)->kind();
    EngineChoice gpu{.kind = EngineKind::gpu, .used = used == EngineKind::gpu};
    GlobalOptions any_gpu = options;
    any_gpu.engine = to_string(EngineKind::gpu);
    try {
        gpu.device = headless::make_offscreen_engine({.device = gpu_device(any_gpu)})->device();
    } catch (const CapabilityError& error) {
        gpu.why_not = error.what();
    }
    return {{.device = make_cpu_engine()->device(), .used = used == EngineKind::cpu}, gpu};
}

std::string as_text(const Backends& backends) {
    std::string text = "engines\n";
    for (const EngineChoice& engine : backends.engines) {
        text += fmt::format("  {} {:<10} {}\n", engine.used ? '*' : ' ', to_string(engine.kind),
                            engine.why_not.empty() ? engine.device : "none: " + engine.why_not);
    }
    text += "EGL devices\n";
    for (Index i = 0; i < std::ssize(backends.egl); ++i) {
        const headless::EglDevice& device = backends.egl[i];
        text +=
            fmt::format("  {} {} {:<8} {}\n", &device == backends.used() ? '*' : ' ', i,
                        device.software ? "software" : "hardware",
                        device.usable ? fmt::format("{}, OpenGL {}", device.name, device.version)
                                      : fmt::format("{}: {}", device.name, device.why_not));
    }
    if (backends.used() == nullptr) {
        text +=
            "  none usable: screenshot and the GPU need libegl1, libegl-mesa0 and "
            "libgl1-mesa-dri\n";
    }
    return text + "* would be used; --device takes a device's number or a part of its name\n";
}

std::string as_json(const Backends& backends) {
    nlohmann::ordered_json json;
    json["engines"] = nlohmann::ordered_json::array();
    for (const EngineChoice& engine : backends.engines) {
        json["engines"].push_back({{"name", to_string(engine.kind)},
                                   {"device", engine.device},
                                   {"used", engine.used},
                                   {"why_not", engine.why_not}});
    }
    json["egl_devices"] = nlohmann::ordered_json::array();
    for (const headless::EglDevice& device : backends.egl) {
        json["egl_devices"].push_back({{"name", device.name},
                                       {"gl_version", device.version},
                                       {"software", device.software},
                                       {"usable", device.usable},
                                       {"used", &device == backends.used()},
                                       {"why_not", device.why_not}});
    }
    return json.dump(2) + "\n";
}

}  // namespace

Command backends_command(GlobalOptions& options) {
    return {.name = "backends",
            .text = "List engines, EGL devices and OpenGL versions, and which would be used",
            .run =
                [&options] {
                    const Backends backends{engines_of(options), headless::list_egl_devices()};
                    print(options.format == "json" ? as_json(backends) : as_text(backends));
                    return 0;
                },
            .reads = {"--engine", "--device", "--format"},
            .footer = R"(Examples:
  ropescope backends
  ropescope backends --format json)"};
}

}  // namespace ropescope::cli
