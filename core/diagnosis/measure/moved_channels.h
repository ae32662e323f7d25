// Channels that stay, and come out as others.
#pragma once

#include <optional>

#include "core/diagnosis/dump.h"
#include "core/diagnosis/measure/pairing.h"
#include "core/diagnosis/rounding.h"

namespace ropescope::diagnosis {

/// For a block of channels that turns and is written elsewhere, behind or between those that stay:
/// where each channel that stays comes out, which has its numbers bit by bit, and the pairs of the
/// block. Empty if no channel that stays is moved, if two have the same numbers, or if the block
/// is not all pairs.
std::optional<Pairing> find_moved_pairing(const DumpSide& side, const FloatFormat& format);

}  // namespace ropescope::diagnosis
