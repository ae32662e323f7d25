// How much two pictures of the same thing differ.
#pragma once

#include <optional>

#include "app/plot/figure.h"

namespace ropescope::plot {

/// The largest difference between two numbers that stand at the same place: in the marks, in data
/// coordinates, and in the columns of the data. Infinite if one is NaN and the other is not; empty
/// if the figures do not show the same marks.
std::optional<double> largest_difference(const Figure& a, const Figure& b);

}  // namespace ropescope::plot
