// Ranges that can be drawn, and the way between values and places on an axis.
#pragma once

#include "app/plot/figure.h"

namespace ropescope::plot {

/// The axis with a range that can be drawn: finite, not empty, positive if it is logarithmic.
Axis drawable(Axis axis);

/// Where a value lies on a drawable axis: 0 at min, 1 at max. NaN if the value has no place there.
double to_unit(const Axis& axis, double value);
/// The value at a place; the inverse of to_unit().
double from_unit(const Axis& axis, double unit);

}  // namespace ropescope::plot
