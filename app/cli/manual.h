// Man pages and completions for shells, made of the options and texts that --help shows.
#pragma once

#include <filesystem>

#include "app/cli/command.h"

namespace ropescope::cli {

/// Writes ropescope.1, a page ropescope-COMMAND.1 for each command, ropescope.bash and _ropescope
/// (for zsh) into the folder.
void write_manual(const Program& program, const std::filesystem::path& folder);

}  // namespace ropescope::cli
