// What the worker of a page answers about a check, as bytes.
#pragma once

#include <string>
#include <string_view>

#include "core/checks/check.h"

namespace ropescope::web {

/// What the worker found out about a check.
struct CheckOutcome {
    std::string id;
    CheckFinding finding;
    double seconds = 0;
};

std::string pack_outcome(const CheckOutcome& outcome);
/// Throws InputError for bytes that are not one.
CheckOutcome unpack_outcome(std::string_view bytes);

}  // namespace ropescope::web
