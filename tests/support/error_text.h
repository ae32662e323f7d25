// The message with which something refuses its input.
#pragma once

#include <string>

#include "core/base/error.h"

namespace ropescope::testing {

/// What InputError says, "" when nothing is thrown.
template <typename Call>
std::string error_text(Call&& call) {
    try {
        call();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

}  // namespace ropescope::testing
