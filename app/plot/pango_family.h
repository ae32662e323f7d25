// The compiled-in fonts as Pango finds them.
#pragma once

#include "app/plot/painter.h"

namespace ropescope::plot {

/// The family by which Pango finds a face; the faces are made known to fontconfig by the first
/// call. If that fails, and for other characters, the family names what the system may have.
const char* pango_family(Face face);

}  // namespace ropescope::plot
