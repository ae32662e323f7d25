// What the spectrum view shows of its state. Sources: panels.cpp, report.cpp.
#pragma once

#include <string>

#include "app/figures/spectrum/state.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

/// "spectrum": a point for each pair over a logarithmic axis, and the limit of one turn in the
/// context.
plot::Panel spectrum_panel(const SpectrumState& state);

/// CSV: a row for each pair with its channels, inv_freq, wavelength, turns, slowdown, and the
/// overlays.
plot::DataTable spectrum_data(const SpectrumState& state);

/// A table of every pair, or of an even choice of 64 pairs if there are more.
std::string spectrum_report(const SpectrumState& state);

}  // namespace ropescope::figures
