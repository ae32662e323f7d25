// Whether two explanations say the same, as far as the data of both tell.
#pragma once

#include "core/diagnosis/explanation.h"

namespace ropescope::diagnosis {

/// Whether the same channels are paired, and written to the same places.
bool same_layout(const Explanation& a, const Explanation& b);

/// Whether all angles of the two spectra agree. Both have a model.
bool same_spectrum(const Explanation& a, const Explanation& b);

/// Whether pairs that turn by several axes do so the other way in `k`: their speeds have any sign,
/// so that only the other side tells.
bool mixed_backwards(const Explanation& q, const Explanation& k);

}  // namespace ropescope::diagnosis
