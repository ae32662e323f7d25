// `ropescope backends`: what there is to compute and to draw with, and what would be used.
#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/cli.h"
#include "app/headless/egl_context.h"

namespace ropescope::cli {
namespace {

struct Backends {
    std::string engine, engine_device;
    std::vector<headless::EglDevice> egl;
    /// The first usable one: what screenshots are drawn with.
    const headless::EglDevice* used() const {
        const auto found = std::find_if(egl.begin(), egl.end(),
                                        [](const headless::EglDevice& d) { return d.usable; });
        return found == egl.end() ? nullptr : &*found;
    }
};

std::string as_text(const Backends& backends) {
    std::string text = fmt::format("engines\n  * {:<8} {}\nEGL devices\n", backends.engine,
                                   backends.engine_device);
    for (const headless::EglDevice& device : backends.egl) {
        text +=
            fmt::format("  {} {:<8} {}\n", &device == backends.used() ? '*' : ' ',
                        device.software ? "software" : "hardware",
                        device.usable ? fmt::format("{}, OpenGL {}", device.name, device.version)
                                      : fmt::format("{}: {}", device.name, device.why_not));
    }
    if (backends.used() == nullptr) {
        text +=
            "  none usable: screenshot and the GPU need libegl1, libegl-mesa0 and "
            "libgl1-mesa-dri\n";
    }
    return text + "* would be used\n";
}

std::string as_json(const Backends& backends) {
    nlohmann::ordered_json json;
    json["engines"] = {
        {{"name", backends.engine}, {"device", backends.engine_device}, {"used", true}}};
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

Command add_backends(CLI::App& parent, GlobalOptions& options) {
    CLI::App* app = parent.add_subcommand(
        "backends", "Lists engines, EGL devices and OpenGL versions, and which would be used");
    return {
        app, [&options] {
            const std::unique_ptr<Engine> engine = engine_from(options);
            const Backends backends{engine->name(), engine->device(), headless::list_egl_devices()};
            std::cout << (options.format == "json" ? as_json(backends) : as_text(backends));
            return 0;
        }};
}

}  // namespace ropescope::cli
