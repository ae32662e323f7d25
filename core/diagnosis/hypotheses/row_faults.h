// Rows that do not turn, or turn alike, told without a spectrum.
#pragma once

#include <vector>

#include "core/diagnosis/explanation.h"

namespace ropescope::diagnosis {

/// [rows]: those in which nothing turns, although some pair that turns in another row would be seen
/// to: at position 0, and of zeros, nothing is.
std::vector<bool> still_rows(const Explanation& side);

/// Rows, or heads, that do not turn although the others do; false if there are none.
bool find_still_rows(Explanation& side, const std::vector<bool>& still);

/// One step of several sequences that turn alike, although their stated positions differ. Angles of
/// pairs that turn too slowly to tell these are alike in right code, and those of one pair may be
/// by whole turns.
bool find_alike_rows(Explanation& side);

}  // namespace ropescope::diagnosis
