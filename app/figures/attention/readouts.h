// The values under the cursor in the panels of the attention view.
#pragma once

#include <string_view>
#include <vector>

#include "app/figures/attention/maps.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

/// Empty for a panel that the view does not have.
std::vector<plot::Readout> attention_readouts(const AttentionState& state, OpenedHead opened,
                                              std::string_view panel, plot::Point at);

}  // namespace ropescope::figures
