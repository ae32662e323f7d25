// The sides of a dump that a comparison concerns, and whether two of them say the same, as far as
// the data of both tell.
#pragma once

#include <vector>

#include "core/diagnosis/explanation.h"

namespace ropescope::diagnosis {

/// q, k or both, which other memory holds.
using Sides = std::vector<const Explanation*>;

/// The sides that turn and were paired.
Sides paired(const std::vector<Explanation>& sides);

/// The sides whose spectrum is known.
Sides explained(const std::vector<Explanation>& sides);

/// All of them.
Side sides_of(const Sides& sides);

/// Whether the same channels are paired, and written to the same places.
bool same_layout(const Explanation& a, const Explanation& b);

/// Whether all angles of the two spectra agree. Both have a model.
bool same_spectrum(const Explanation& a, const Explanation& b);

/// Whether pairs that turn by several axes do so the other way in `k`: their speeds have any sign,
/// so that only the other side tells.
bool mixed_backwards(const Explanation& q, const Explanation& k);

}  // namespace ropescope::diagnosis
