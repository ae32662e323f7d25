// What the decay view shows of its state. Sources: panels.cpp, report.cpp.
#pragma once

#include <string>

#include "app/figures/decay/state.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

/// The upper panel "bound" and the lower panel "score".
/// "rises on 128 of 256 steps"; "drawn steps" if not every whole distance has been looked at.
std::string rises_text(const DecayState& state, const Rises& rises);
plot::Panel bound_panel(const DecayState& state);
/// Probability against distance of every head of the encoder; needs state.measured.
plot::Panel probability_panel(const DecayState& state);
plot::Panel score_panel(const DecayState& state);

/// CSV: distance_positions, upper_bound, cosine_sum, bound_rises and cosine_rises (1 if the next
/// drawn value is higher), random_mean, random_low_5_percent, random_high_5_percent (NaN if none
/// was computed).
plot::DataTable decay_data(const DecayState& state);

std::string decay_report(const DecayState& state);

}  // namespace ropescope::figures
