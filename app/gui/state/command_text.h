// The scene as a command line: what the window shows, a document can make again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/scene/scene.h"

namespace ropescope::gui {

/// The "name=value" settings that lead from the default scene to this one, the view left out. The
/// model comes first: it brings its own values.
std::vector<std::string> settings_for(const Scene& scene);

/// One word of a POSIX shell, quoted only where it must be.
std::string shell_quoted(std::string_view word);

/// ropescope --set base=500000 figure spectrum -o spectrum.svg
std::string figure_command(const Scene& scene);

}  // namespace ropescope::gui
