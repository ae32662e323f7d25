// The positions that a dump states for its tokens.
#pragma once

#include <optional>
#include <string>

#include "core/diagnosis/dump.h"
#include "core/diagnosis/dump_source.h"

namespace ropescope::diagnosis {

/// The stated positions of a side: its own, or those of both. In a decode step, whose queries are
/// fewer than the keys in the cache, those of all keys have the queries' at their end.
/// `name` is q or k, `other` the other side, if the dump has it. Empty if none are stated. Throws
/// InputError for another shape than that of the side, and for positions beyond +-2^20.
std::optional<DumpPositions> positions_of(const DumpSource& file, const std::string& name,
                                          const DumpTensor& side, const DumpTensor* other);

}  // namespace ropescope::diagnosis
