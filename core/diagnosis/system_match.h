// Which of the position encodings of the five texts a dump comes from.
#pragma once

#include <optional>
#include <string>

#include "core/diagnosis/explanation.h"

namespace ropescope::diagnosis {

/// Tokens of the first sequence and head that are compared.
inline constexpr Index kMatchedTokens = 128;

/// The id of the rotary system whose code, run on the first tokens of the dump, gives the dumped
/// result within rounding; the nearest if several do. Empty if none does, and for positions that do
/// not count up by one from at most 4096.
std::optional<std::string> matching_system(const DumpSide& tensors, const DumpPositions& positions,
                                           const Explanation& side);

}  // namespace ropescope::diagnosis
