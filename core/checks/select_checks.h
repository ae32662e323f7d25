// Choosing checks among those of the registry and others.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/checks/check_run.h"

namespace ropescope {

/// As select_checks(glob) of check_run.h, with the checks of `more` behind those of the registry.
/// They must outlive the result.
std::vector<const Check*> select_checks(std::string_view glob, std::span<const Check> more);

}  // namespace ropescope
