// The sinusoidal table of the walk through Llama; the additive encoding of additive_absolute.cpp
// uses it too.
#pragma once

#include "core/systems/system.h"

namespace ropescope::systems {

/// P[:, offset : offset + seq, :] of PositionalEncoding: [1, seq, num_hiddens], even channels sin,
/// odd channels cos. Throws Fault::broadcast if num_hiddens is odd.
nd::Array d2l_table(const SystemInput& input, std::int64_t seq, std::int64_t num_hiddens);

}  // namespace ropescope::systems
