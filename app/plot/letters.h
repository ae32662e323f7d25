// How an SVG holds its letters.
#pragma once

#include <array>
#include <string_view>

#include "core/base/enum_names.h"

namespace ropescope {
namespace plot {

/// Text can be searched, edited and read aloud, and is drawn with the fonts of the viewer. Outlines
/// look the same everywhere.
enum class Letters { text, outlines };

}  // namespace plot

template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<plot::Letters> = {"text", "outlines"};

}  // namespace ropescope
