// Parses the command line by CLI11, which only this header's source knows: it costs the compiler
// three seconds in every source that includes it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.h"

namespace ropescope::cli {

/// What a command line asks for.
struct CommandRequest {
    std::optional<std::string> text = {};   ///< that of --help or --version, to be printed
    const Command* command = nullptr;       ///< of the program; null if none is named
    std::vector<std::string> options = {};  ///< those of the program that are given: "--scene"
};

/// Writes the values of all options to their targets. Throws InputError with one line that names
/// what is wrong, near names, and where help is.
CommandRequest parse(const Program& program, int argc, const char* const* argv);

}  // namespace ropescope::cli
