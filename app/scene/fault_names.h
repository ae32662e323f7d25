// What people call the faults that the instruments name by codes, and the headings under which they
// stand. Source: fault_names.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ropescope {

/// A fault that the view diagnose plants.
struct FaultName {
    std::string_view code;   ///< "positions.low_precision"
    std::string_view group;  ///< "Positions"
    std::string_view name;   ///< "positions rounded to bf16"
};

/// Those that lists offer, group after group.
std::span<const FaultName> fault_names();
/// "positions rounded to bf16"; the code itself if the list does not have it.
std::string fault_name(std::string_view code);
/// The heading for any code, of a fault or a note: "Positions"; "" for "none".
std::string_view fault_group(std::string_view code);

}  // namespace ropescope
