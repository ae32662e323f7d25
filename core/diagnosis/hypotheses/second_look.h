// Dumps that are looked at again, because something beside the rotation hides what was done: q and
// k that are exchanged, or cosines and sines that are coarser than the tensors.
#pragma once

#include <functional>
#include <optional>

#include "core/diagnosis/analysis.h"
#include "core/diagnosis/dump.h"

namespace ropescope::diagnosis {

/// Explains a dump, with or without the expectation.
using SecondLook = std::function<Analysis(const Dump&)>;

/// If neither side keeps the lengths of its own pairs: what is found when q_rot and k_rot change
/// places, with that fault first. Empty if it is not right then either. `expectation` may be null.
std::optional<Analysis> with_sides_exchanged(const Dump& dump, const Analysis& first,
                                             const Expectation* expectation,
                                             const SecondLook& look);

/// If a side has a factor on all of its channels, those that stay too: what is found without it,
/// with the factor first. Channels that stay and do not come out as they were look like pairs.
/// Empty if the first look leaves nothing open, or if the parameters found so do not explain every
/// number.
std::optional<Analysis> with_factor_taken(const Dump& dump, const Analysis& first,
                                          const SecondLook& look);

/// If lengths or angles are off by a little: what is found when the tensors behind the rotation are
/// rounded to 16 bits, so that errors of a table do not show. If the parameters found so explain
/// every number with a known table, that is the result, and a note names the table. If the lengths
/// prove that there is no rotation, the size of the error is the fault. Empty otherwise.
std::optional<Analysis> with_coarse_table(const Dump& dump, const Analysis& first,
                                          const SecondLook& look);
/// The same of a dump that the expectation explains with coarser numbers, and not with its own.
std::optional<Analysis> with_coarse_table_expected(const Dump& dump, const Analysis& first,
                                                   const Expectation& expectation);

/// Says of tensors that do not change at all that they may be one.
void say_perhaps_aliased(Analysis& analysis);

}  // namespace ropescope::diagnosis
