// What the model view shows of its state. Sources: panels.cpp, report.cpp.
#pragma once

#include <string>

#include "app/figures/model/state.h"
#include "app/plot/figure.h"
#include "core/base/index.h"

namespace ropescope::figures {

/// The wavelengths of every type of layer.
plot::Panel spectrum_panel(const ModelState& state);
/// Names and texts side by side in a panel without axes, row n at y = -n, as many as `lines`.
plot::Panel rows_panel(const std::string& id, const Rows& rows, Index lines);

/// CSV: what ("inv_freq_rad" or "tensor"), name, value.
plot::DataTable model_data(const ModelState& state);

std::string model_report(const plot::Figure& figure, const ModelState& state);

}  // namespace ropescope::figures
