// The table of scene parameters as a document: docs/scene-parameters.md and ropescope --parameters.
#pragma once

#include <string>

namespace ropescope {

/// A Markdown page, one table a group: name, default, what it accepts, unit, help.
std::string parameters_markdown();

}  // namespace ropescope
