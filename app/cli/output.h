// Where commands write what they found.
#pragma once

#include <string>
#include <string_view>

namespace ropescope::cli {

/// Writes to standard output. main() reports at the end if that failed.
void print(std::string_view text);

/// Writes to the file `path`, whole or not at all, or to standard output if `path` is empty.
void deliver(std::string_view text, const std::string& path);

}  // namespace ropescope::cli
