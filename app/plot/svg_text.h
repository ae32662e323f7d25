// Numbers and text as SVG and HTML hold them.
#pragma once

#include <string>
#include <string_view>

namespace ropescope::plot {

/// A place or a size in pixels, with at most so many decimals and none that is 0: "12.5". What lies
/// far outside any picture moves to a place that is still outside; what is no number has no place
/// and becomes 0.
std::string svg_number(double pixels, int decimals);

/// With "&lt;" and the like in place of what XML and HTML read. Characters that XML 1.0 has no
/// place for become the replacement character.
std::string escaped(std::string_view text);

}  // namespace ropescope::plot
