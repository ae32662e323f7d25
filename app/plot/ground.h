// What lies behind the panels of a picture.
#pragma once

#include <array>
#include <string_view>

#include "core/base/enum_names.h"

namespace ropescope {
namespace plot {

/// The theme's background, white paper, or nothing.
enum class Ground { theme, white, transparent };

}  // namespace plot

template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<plot::Ground> = {"theme", "white",
                                                                             "transparent"};

}  // namespace ropescope
