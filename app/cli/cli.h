// The command line: what the global options stand for (globals.cpp), and one function for each
// command, which adds it to the parser.
// Sources: cli.cpp, globals.cpp; app.cpp, backends.cpp, bench.cpp, check.cpp, encode.cpp,
// figure.cpp, inspect.cpp, rotate.cpp, screenshot.cpp.
#pragma once

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/scene.h"
#include "core/base/error.h"
#include "core/engine/dispatched_engine.h"

namespace ropescope::cli {

/// Options in front of the command.
struct GlobalOptions {
    std::string scene_file;
    std::vector<std::string> settings;  ///< --set name=value, in order
    std::string engine = "auto";
    std::string device;  ///< --device: which EGL device the GPU engine computes on
    std::string format = "text";
    bool list_parameters = false;  ///< --parameters: print the table of them and end
};

/// The scene that --scene and --set describe. Says on stderr what a model's file left open.
Scene scene_from(const GlobalOptions& options);
/// The same for a command without a scene, or for what else was read at `place`.
void tell_assumptions(const ModelConfig& model);
void tell_assumptions(std::string_view place, const std::vector<std::string>& assumptions);
/// Opens the GPU's engine on a device, as EglRequest::device names it. Throws CapabilityError.
using OpenGpu = std::function<std::unique_ptr<Engine>(const std::string& device, Fallback)>;
std::unique_ptr<Engine> open_gpu(const std::string& device, Fallback fallback);
/// The engine that --engine names; "auto" takes the GPU if the machine has one in hardware. If the
/// GPU fails later, the CPU takes over, and a line on standard error says so. Throws
/// CapabilityError if the user asked for the GPU and it cannot be opened.
std::unique_ptr<Engine> engine_from(const GlobalOptions& options, const OpenGpu& open = open_gpu);
/// The same without the CPU behind it, for work that must end on the engine it began with.
std::unique_ptr<Engine> exact_engine_from(const GlobalOptions& options,
                                          const OpenGpu& open = open_gpu);
/// Returns what work() returns. If the GPU refuses, rethrows its error with the part of the command
/// line that it concerns in front and the remedy behind.
template <typename Work>
auto with_remedy(std::string_view what, Work work) {
    try {
        return work();
    } catch (const CapabilityError& error) {
        throw CapabilityError(fmt::format("{}: {}; --engine cpu works", what, error.what()));
    }
}

/// The value of --engine. Throws InputError for an unknown word.
enum class EngineWish { automatic, cpu, gpu };
EngineWish engine_wish(const GlobalOptions& options);
/// Whether "auto" looks for a GPU at all.
bool gpu_is_likely(const GlobalOptions& options);
/// The device for EglRequest. A device that the processor imitates is used only with `--engine
/// gpu`.
std::string gpu_device(const GlobalOptions& options);

/// Global options that a command can read.
inline const std::vector<std::string> kAllOptions = {"--scene", "--set", "--engine", "--device",
                                                     "--format"};
inline const std::vector<std::string> kPictureOptions = {"--scene", "--set", "--engine",
                                                         "--device"};

/// What --format takes unless a command says more.
inline const std::vector<std::string> kReportFormats = {"text", "json"};

/// A subcommand adds its options to `app` and stores what to run; run returns the exit code.
struct Command {
    CLI::App* app = nullptr;
    std::function<int()> run;
    std::vector<std::string> reads = kAllOptions;       ///< the others are refused, not ignored
    std::vector<std::string> formats = kReportFormats;  ///< of --format
};
Command add_check(CLI::App& parent, GlobalOptions& options);
Command add_encode(CLI::App& parent, GlobalOptions& options);
Command add_figure(CLI::App& parent, GlobalOptions& options);
Command add_inspect(CLI::App& parent, GlobalOptions& options);
Command add_rotate(CLI::App& parent, GlobalOptions& options);
Command add_screenshot(CLI::App& parent, GlobalOptions& options);
Command add_backends(CLI::App& parent, GlobalOptions& options);
Command add_app(CLI::App& parent, GlobalOptions& options);
Command add_bench(CLI::App& parent, GlobalOptions& options);

/// Parses and runs: 0 ok, 1 a check failed, 2 bad usage or bad input, 3 a capability is missing.
/// Errors are one line on standard error.
int main(int argc, const char* const* argv);

}  // namespace ropescope::cli
