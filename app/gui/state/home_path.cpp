// Replaces "~" by the user's home folder.
#include "app/gui/state/home_path.h"

#include <cstdlib>

namespace ropescope::gui {

std::string without_tilde(std::string_view path) {
    const char* home = std::getenv("HOME");
    const bool replaced = home != nullptr && *home != '\0' && path.starts_with('~') &&
                          (path.size() == 1 || path[1] == '/');
    return replaced ? std::string(home) + std::string(path.substr(1)) : std::string(path);
}

bool looks_like_path(std::string_view text) {
    return text.starts_with('/') || text.starts_with('~') || text.starts_with("./") ||
           text.starts_with("../");
}

}  // namespace ropescope::gui
