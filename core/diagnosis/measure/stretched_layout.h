// The layout of one head whose lengths change with the position, as xPos has it.
#pragma once

#include <optional>

#include "core/diagnosis/dump.h"
#include "core/diagnosis/measure/pairing.h"

namespace ropescope::diagnosis {

/// The usual layout in which each pair's length grows by the same factor from one position to the
/// next, at every token within rounding, as gain = exp(start + slope * position). One head shows no
/// common angle, so that lengths alone must tell. Empty if no layout fits, for positions of several
/// axes or fewer than four of them, and if no length changes.
std::optional<Pairing> stretched_layout(const DumpSide& side, const DumpPositions& positions);

}  // namespace ropescope::diagnosis
