// The layouts view as CSV columns and as words.
#pragma once

#include <string>
#include <vector>

#include "app/figures/layouts/compare.h"
#include "app/figures/layouts/walk.h"

namespace ropescope::figures {

/// Everything that is drawn, a row a number: panel, series, x, y, verdict.
plot::DataTable layouts_data(const SystemComparison& comparison, const Walk& walk,
                             const std::vector<plot::Panel>& panels);
/// The walk alone, in the same columns.
plot::DataTable walk_data(const Walk& walk, const std::vector<plot::Panel>& panels);
std::string layouts_report(const Scene& scene, const SystemComparison& comparison);

}  // namespace ropescope::figures
