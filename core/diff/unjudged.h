// Tensors of two dumps that a dump does not know: their difference is said, and nobody judges it.
#pragma once

#include <string>

#include "core/diff/matched_layer.h"

namespace ropescope::diff {

/// "attention differs by up to 0.25, first at [0, 3, 2]: 1.5 and 1.25": of two tensors that are not
/// the same. `name` is how a dump calls them.
std::string describe_unjudged(const std::string& name, const Matched& tensor);

}  // namespace ropescope::diff
