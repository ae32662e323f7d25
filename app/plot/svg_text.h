// Numbers and text as SVG and HTML hold them.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/base/enum_names.h"

namespace ropescope::plot {

/// A place or a size in pixels, with at most so many decimals and none that is 0: "12.5". What lies
/// far outside any picture moves to a place that is still outside; what is no number has no place
/// and becomes 0.
std::string svg_number(double pixels, int decimals);

/// With "&lt;" and the like in place of what XML and HTML read. Characters that XML 1.0 has no
/// place for become the replacement character.
std::string escaped(std::string_view text);

}  // namespace ropescope::plot

namespace ropescope {

// How an SVG holds its letters.

namespace plot {

/// Text can be searched, edited and read aloud, and is drawn with the fonts of the viewer. Outlines
/// look the same everywhere.
enum class Letters { text, outlines };

}  // namespace plot

template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<plot::Letters> = {"text", "outlines"};

}  // namespace ropescope
