// The direction in which a model's pairs turn.
#pragma once

#include "core/schemes/rotary_scheme.h"

namespace ropescope {

/// The scheme with every frequency negated: pairs turn the other way.
RotaryScheme turned_round(RotaryScheme scheme);

/// Text in one axis; `backwards` if the model was trained with the other direction.
RotaryScheme text_scheme(const RopeSpec& spec, bool backwards);

}  // namespace ropescope
