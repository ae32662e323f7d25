// Channels that stay, and come out as others.
#pragma once

#include <optional>

#include "core/diagnosis/dump.h"
#include "core/diagnosis/measure/pairing.h"
#include "core/diagnosis/rounding.h"

namespace ropescope::diagnosis {

/// For a part that turns and is written behind, or between, the channels that stay: the channels
/// that have the numbers of another one bit by bit, and the pairs of the others, of which the first
/// that is read is the first that is written. Empty if no channel that stays is moved, if two have
/// the same numbers, or if the others are no pairs.
std::optional<Pairing> find_moved_pairing(const DumpSide& side, const FloatFormat& format);

}  // namespace ropescope::diagnosis
