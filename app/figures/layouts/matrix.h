// The panel of the layouts view in which every system is compared with every other.
#pragma once

#include <string>

#include "app/figures/layouts/compare.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

plot::Panel matrix_panel(const Scene& scene);
/// '=' identical, 'P' equal after a permutation, '≠' different, '×' not a rotation.
std::string verdict_mark(Verdict verdict);
/// Row of the matrix at a height of its panel, column at a place: the systems' order, clamped.
Index system_of_row(double y);
Index system_of_column(double x);

}  // namespace ropescope::figures
