// The attention view as numbers and as words.
#pragma once

#include <string>

#include "app/figures/attention/maps.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

/// CSV: query, key (first positions of a cell), positions_a_side, score, probability,
/// score_without_rope, masked (1: the key is padding) of the opened head.
plot::DataTable attention_data(const AttentionState& state, const Scene& scene);
std::string attention_report(const AttentionState& state, const Scene& scene);

}  // namespace ropescope::figures
