// Polylines made ready for a painter: broken where a value is missing, clipped to what can be seen,
// thinned to what a pixel column can show, dashed.
#pragma once

#include <span>
#include <vector>

#include "app/plot/painter.h"

namespace ropescope::plot {

using Path = std::vector<Pixel>;

/// Runs of finite points, cut at the borders of `window` (coordinates of 1e300 px never reach a
/// painter).
std::vector<Path> visible_runs(std::span<const Pixel> points, Rect window);

/// Of the points in a row within one pixel column the first, the lowest, the highest and the last
/// are kept, in their order: the drawn line covers the same pixels.
Path decimated(const Path& path);

/// The strokes of a dashed path, `on` px drawn and `off` px left out, by arc length.
std::vector<Path> dashes(const Path& path, double on, double off);

}  // namespace ropescope::plot
