// Finds heads that come out in another order than they went in.
#pragma once

#include <optional>
#include <vector>

#include "core/diagnosis/dump.h"

namespace ropescope::diagnosis {

/// [heads]: the head before that each head after has the lengths of, token by token: a rotation
/// keeps them. Empty if that is each head itself, if lengths fit none or several, or if there are
/// too few tokens to tell.
std::optional<std::vector<Index>> find_head_order(const DumpSide& side);

}  // namespace ropescope::diagnosis
