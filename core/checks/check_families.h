// The families of checks by name, for lists and settings that need no check.
#pragma once

#include <array>
#include <string_view>

namespace ropescope {

/// In the order of the report; what stands before the dot in a check's id.
inline constexpr auto kCheckFamilies =
    std::to_array<std::string_view>({"rope", "scaling", "layout", "table", "engine", "encoder",
                                     "gpu", "decay", "precision", "absolute", "systems", "claim"});

}  // namespace ropescope
