// The ticks of an axis in the room that it has.
#pragma once

#include <span>
#include <vector>

#include "app/plot/axis.h"
#include "app/plot/painter.h"

namespace ropescope::plot {

/// The width of the widest label, in pixels.
double widest_label(std::span<const Tick> ticks, const Pen& pen);

/// The ticks of an axis of this length in pixels: upright, or level, where labels need their width
/// and a gap between them.
std::vector<Tick> upright_ticks(const Axis& axis, double height, const Pen& pen);
std::vector<Tick> level_ticks(const Axis& axis, double width, const Pen& pen);

}  // namespace ropescope::plot
