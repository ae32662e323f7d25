// The files of the demo models, compiled into the program by cmake/Embed.cmake.
#pragma once

#include <optional>
#include <string_view>

namespace ropescope::demo {

/// Contents of a file by its path in the repository: "assets/demo-roformer/vocab.txt".
std::optional<std::string_view> demo_file(std::string_view name);

}  // namespace ropescope::demo
