// What the axes view shows of its state. Sources: pairs.cpp, maps.cpp, report.cpp.
#pragma once

#include <string>

#include "app/figures/axes/state.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

/// "spectrum" or "spectrum_other": a mark for each pair over a logarithmic axis, in the colour of
/// its axis.
plot::Panel axes_spectrum_panel(const AxesState& state, const AxesScheme& scheme);
/// "strip" or "strip_other": a lane for each axis with the pairs that it turns; those that do not
/// turn from the fixed to the chosen patch are pale.
plot::Panel axes_strip_panel(const AxesState& state, const AxesScheme& scheme);
/// "turns": the angle by which each pair turns from the fixed to the chosen patch, in degrees.
plot::Panel axes_turns_panel(const AxesScheme& scheme);
/// "map" or "map_other": the score of the fixed patch with each patch of the frame.
plot::Panel axes_map_panel(const AxesState& state, const AxesScheme& scheme);
/// "difference": the second map minus the first.
plot::Panel axes_difference_panel(const AxesState& state);

/// The axes of all schemes, a colour each, and what does not have one axis.
std::vector<plot::LegendEntry> axes_legend(const AxesState& state);

/// CSV, a row for each number, with the scene parameter that names its model (axes_model or
/// axes_other) and the model: table ("omega_rad" and "turn_rad" by model, pair and axis, "position"
/// of the chosen minus that of the fixed patch by model and axis, "score" by model, frame, row and
/// column, "difference" of the scores), value. Cells that do not apply are empty.
plot::DataTable axes_data(const AxesState& state);

/// What the schemes are, and a table of the first one's pairs, 64 at most.
std::string axes_report(const AxesState& state);

/// "pair", "channels", "axis", the frequencies, the wavelength, the turn and its part of the score.
std::vector<plot::Readout> axes_pair_readouts(const AxesScheme& scheme, Index pair);
/// A patch's place, its distance from the fixed one in every axis, and its scores.
std::vector<plot::Readout> axes_patch_readouts(const AxesState& state, const PatchIndex& patch);

}  // namespace ropescope::figures
