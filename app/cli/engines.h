// The engines that --engine and --device stand for.
#pragma once

#include <fmt/format.h>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/command.h"
#include "core/base/error.h"
#include "core/engine/dispatched_engine.h"

namespace ropescope::cli {

/// What --engine takes: "auto", and the name of each engine.
std::vector<std::string> engine_words();
/// Throws InputError if the value of --engine is not one of `words`.
void require_engine_word(const GlobalOptions& options, const std::vector<std::string>& words);
/// The engine that --engine names; empty for "auto". Throws InputError for an unknown word.
std::optional<EngineKind> wanted_engine(const GlobalOptions& options);

/// Whether "auto" looks for a GPU at all.
bool gpu_is_likely(const GlobalOptions& options);
/// The device for EglRequest. A device that the processor imitates is used only with `--engine
/// gpu`.
std::string gpu_device(const GlobalOptions& options);

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

}  // namespace ropescope::cli
