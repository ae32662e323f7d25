// What the diagnose view shows of its state. Sources: panels.cpp, findings.cpp, report.cpp.
#pragma once

#include <string>
#include <vector>

#include "app/figures/diagnose/state.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

/// "spectrum": the speed of each pair as measured in q and k, over the expected ones.
plot::Panel speeds_panel(const DiagnoseState& state);
/// "pairing": the channel that each channel turns with.
plot::Panel pairing_panel(const DiagnoseState& state);
/// "distance": how far the angle of each pair lies from the wanted one at each token.
plot::Panel distance_panel(const DiagnoseState& state);
/// "positions": where each token was found, relative to its stated position.
plot::Panel moved_panel(const DiagnoseState& state);
/// "findings": codes and sentences, the heaviest first.
plot::Panel findings_panel(const DiagnoseState& state);
/// How many lines the findings take.
Index findings_lines(const DiagnoseState& state);

std::vector<plot::LegendEntry> diagnose_legend(const DiagnoseState& state);

/// The tokens that are drawn: all, or evenly chosen ones of a long sequence.
std::vector<Index> drawn_tokens(const diagnosis::Explanation& side);

/// CSV: a row for each pair.
plot::DataTable diagnose_data(const DiagnoseState& state);

}  // namespace ropescope::figures
