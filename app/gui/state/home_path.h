// "~" in paths that people type.
#pragma once

#include <string>
#include <string_view>

namespace ropescope::gui {

/// The path with a leading "~" replaced by the folder that HOME names, as a shell does it for "~"
/// and "~/...". Any other text is returned as it is, as is every text if HOME is not set.
std::string without_tilde(std::string_view path);

/// Whether a text that people type is meant as a path: it begins with "/", "~", "./" or "../".
bool looks_like_path(std::string_view text);

}  // namespace ropescope::gui
