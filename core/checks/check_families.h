// The families of checks and their outcomes by name, for lists and settings that need no check.
#pragma once

#include <array>
#include <string_view>

#include "core/base/enum_names.h"

namespace ropescope {

/// In the order of the report; each is the part before the first dot in a check's id. The checks of
/// the demo models and of lessons, which come last, are the program's and not the library's.
inline constexpr auto kCheckFamilies = std::to_array<std::string_view>(
    {"rope", "scaling", "layout", "table", "axes", "positions", "engine", "encoder", "gpu", "decay",
     "precision", "absolute", "systems", "claim", "demo", "lesson"});

/// `note` is a remark that no number decides; it does not count as a check.
enum class Status { passed, failed, skipped, note };
template <>
inline constexpr std::array<std::string_view, 4> kEnumNames<Status> = {"passed", "failed",
                                                                       "skipped", "note"};

}  // namespace ropescope
