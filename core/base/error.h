// The two kinds of errors that the program reports: wrong input, and a machine that lacks
// something; and what is said of any exception.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ropescope {

/// Bad usage or bad input (exit code 2). The message is one line that names the thing, the place,
/// the expectation and the remedy: "rotary_dim: 130 exceeds head_dim 128; give an even number from
/// 2 to 128".
class InputError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The machine lacks a display, a GPU, EGL, ... (exit code 3). The message has the same form.
class CapabilityError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

inline constexpr std::string_view kOutOfMemory =
    "out of memory; use a smaller tensor or fewer positions";

/// What is said to a user of an exception: its message, or kOutOfMemory where the standard library
/// has only a name.
std::string reason_of(const std::exception& error);

}  // namespace ropescope
