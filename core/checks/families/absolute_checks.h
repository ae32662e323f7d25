// The checks of absolute encodings. They take the table and the shift map, so that tests can run
// them on wrong ones.
#pragma once

#include <functional>
#include <vector>

#include "core/checks/check.h"
#include "core/rope/spectrum.h"

namespace ropescope {

using PositionRow = std::function<std::vector<double>(const Spectrum&, std::int64_t position)>;
using ShiftMap = std::function<std::vector<double>(const Spectrum&, std::int64_t shift)>;

Finding sinusoids_match_document(const PositionRow& row, const Cases& cases = {});
Finding shift_map_carries(const ShiftMap& map, const Cases& cases = {});
Finding shift_map_is_orthogonal(const ShiftMap& map, const Cases& cases = {});
Finding four_terms_make_the_score(const Cases& cases = {});
Finding added_positions_are_not_relative();

}  // namespace ropescope
