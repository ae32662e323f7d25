// What a search states of few pairs, put right: parameters of a narrower layout than the one that
// was found, and names that two pairs cannot carry.
#pragma once

#include "core/diagnosis/analysis.h"

namespace ropescope::diagnosis {

/// Pairs (i, i + n) of which fewer than n turn are not those of a plain base on fewer channels,
/// which would pair (i, i + less): the same speeds are stated with exponents over all 2 n channels.
void state_whole_width(Explanation& side);

/// One or two turning pairs fit some base and factor, or some phase and offset, at any positions.
/// Without an expectation such names are taken back, and the verdict is undetermined.
void take_back_names_of_few_pairs(Analysis& analysis);

}  // namespace ropescope::diagnosis
