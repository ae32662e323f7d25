// The files of the demo models where the program does not carry their weights: a page fetches those
// when they are needed, and puts them under their names into the file system in memory.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ropescope::demo {

/// Contents of a file that is compiled in, by its path in the repository.
std::optional<std::string_view> embedded_demo_file(std::string_view name);

/// Whether all weights are here; those that are not count as asked for.
bool all_weights_are_here();
/// The files that demo_file() was asked for and that were not here; each is named once.
std::vector<std::string> take_missing_files();

}  // namespace ropescope::demo
