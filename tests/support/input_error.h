// Asking for the refusal itself, so that exit and message are tested apart.
#pragma once

#include <gtest/gtest.h>
#include <string>

#include "core/base/error.h"

namespace ropescope::test {

/// The message of the InputError that `call` throws; the test fails when it throws none, and any
/// other exception ends it. A message is one line.
template <typename Call>
std::string input_error(Call call) {
    try {
        call();
    } catch (const InputError& error) {
        const std::string message = error.what();
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
        return message;
    }
    ADD_FAILURE() << "no InputError";
    return "";
}

}  // namespace ropescope::test
