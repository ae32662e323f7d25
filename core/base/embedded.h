// Files compiled into the program by cmake/Embed.cmake.
#pragma once

#include <optional>
#include <string_view>

namespace ropescope {

/// Contents of an embedded file by its path in the repository, for example "assets/presets.json".
std::optional<std::string_view> embedded_file(std::string_view name);

}  // namespace ropescope
