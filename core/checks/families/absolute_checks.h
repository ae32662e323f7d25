// The checks of absolute encodings. They take the table and the shift map, so that tests can run
// them on wrong ones.
#pragma once

#include <functional>
#include <vector>

#include "core/checks/check.h"
#include "core/rope/spectrum.h"

namespace ropescope {

using PositionRow = std::function<std::vector<double>(const Spectrum&, std::int64_t position)>;
using ShiftMapUnderTest = std::function<std::vector<double>(const Spectrum&, std::int64_t shift)>;

CheckFinding sinusoids_match_document(const PositionRow& row, const Cases& cases = {});
CheckFinding shift_map_carries(const ShiftMapUnderTest& map, const Cases& cases = {});
CheckFinding shift_map_is_orthogonal(const ShiftMapUnderTest& map, const Cases& cases = {});
CheckFinding four_terms_make_the_score(const Cases& cases = {});
CheckFinding added_positions_are_not_relative();

}  // namespace ropescope
