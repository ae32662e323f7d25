// What the layouts view shows: how channels pair, every system beside every other, the two systems'
// curves, and the numbers. Sources: pairing.cpp, matrix.cpp, curves.cpp, report.cpp.
#pragma once

#include <string>
#include <vector>

#include "app/figures/layouts/compare.h"
#include "app/figures/layouts/walk.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

plot::Panel matrix_panel(const Scene& scene);
/// '=' identical, 'P' equal after a permutation, '≠' different, '×' not a rotation.
std::string verdict_mark(Verdict verdict);
/// Row of the matrix at a height of its panel, column at a place: the systems' order, clamped.
Index system_of_row(double y);
Index system_of_column(double x);

plot::Panel output_panel(const Scene& scene, const SystemComparison& comparison);
plot::Panel difference_panel(const SystemComparison& comparison);
plot::Panel norm_panel(const Scene& scene, const SystemComparison& comparison);
plot::Panel shift_panel(const Scene& scene, const SystemComparison& comparison);

/// The two layouts, one above the other, and the vector between them. `large`: with its numbers.
plot::Panel walk_panel(const Scene& scene, const Walk& walk, bool large);

/// Everything that is drawn, with a row for each number: panel, series, x, y, verdict.
plot::DataTable layouts_data(const SystemComparison& comparison, const Walk& walk,
                             const std::vector<plot::Panel>& panels);
/// The walk alone, in the same columns.
plot::DataTable walk_data(const Walk& walk, const std::vector<plot::Panel>& panels);
std::string layouts_report(const Scene& scene, const SystemComparison& comparison);

}  // namespace ropescope::figures
