// Lengths that refute a rotation only if a dump is exact, taken back where it may not be.
#pragma once

#include "core/diagnosis/analysis.h"
#include "core/diagnosis/dump.h"

namespace ropescope::diagnosis {

/// Without an expectation two statements about lengths are left open: that the pairs of a token
/// change theirs by different factors, if cosines and sines of 16 bits may do so; and that no
/// pairing keeps them, if all channels of each row together do, because a pairing that nobody tried
/// may.
void leave_lengths_open(const Dump& dump, Analysis& analysis);

}  // namespace ropescope::diagnosis
