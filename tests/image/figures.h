// Small synthetic figures that together show every mark.
#pragma once

#include "app/plot/figure.h"

namespace ropescope::test {

/// Lines, bands, rules, points, labels and names at line ends on linear and logarithmic axes.
/// `shift` moves one line, in data units.
plot::Figure lines_figure(double shift = 0);
/// Planes of equal aspect with arcs, arrows, fading dots and corner texts above a wide panel.
plot::Figure planes_figure();
/// Heat maps of both colour maps with colour bars and missing values.
plot::Figure heat_figure(int columns = 24);

}  // namespace ropescope::test
