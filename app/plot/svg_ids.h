// The same bytes for the same SVG.
#pragma once

#include <string>
#include <string_view>

namespace ropescope::plot {

/// Cairo numbers the surfaces and images of an SVG by counters of the whole process; here they are
/// numbered in the order of their first use, so that the same figure gives the same bytes.
std::string with_local_ids(std::string_view svg);

}  // namespace ropescope::plot
