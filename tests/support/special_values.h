// Numbers that are none, for what must bear them.
#pragma once

#include <limits>

namespace ropescope::test {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInf = std::numeric_limits<double>::infinity();

}  // namespace ropescope::test
