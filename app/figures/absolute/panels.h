// What the absolute view shows of its state. Sources: panels.cpp, report.cpp.
#pragma once

#include <string>

#include "app/figures/absolute/state.h"
#include "app/plot/figure.h"

namespace ropescope::figures {

plot::Panel sinusoidal_panel(const AbsoluteState& state);
plot::Panel shift_panel(const AbsoluteState& state);
plot::Panel terms_panel(const AbsoluteState& state);

/// CSV: query_position, key_position, content_content, content_position, position_content,
/// position_position, additive_sum, rope: the scores over sqrt(d) as the lower panel draws them.
plot::DataTable absolute_data(const AbsoluteState& state);

std::string absolute_report(const AbsoluteState& state);

}  // namespace ropescope::figures
