// Axes: their ranges, and where the ticks lie.
#pragma once

#include <string>
#include <vector>

#include "app/plot/figure.h"

namespace ropescope::plot {

/// The axis with a range that can be drawn: finite, not empty, positive if it is logarithmic.
Axis drawable(Axis axis);

/// Where a value lies on a drawable axis: 0 at min, 1 at max. NaN if the axis has no place for the
/// value.
double to_unit(const Axis& axis, double value);
/// The value at a place; the inverse of to_unit().
double from_unit(const Axis& axis, double unit);

struct Tick {
    double value = 0;
    std::string label;  ///< rich text: "10^{-8}"
    bool major = true;
};

/// Ticks inside drawable(axis), ascending, about `most` of them major: at 1, 2, 5 x 10^k. A log
/// axis has whole decades, with 2 and 5 as minor ticks, or, of whole numbers, powers of two; 16
/// whole numbers and more have steps that are powers of two.
std::vector<Tick> make_ticks(const Axis& axis, int most);

}  // namespace ropescope::plot
