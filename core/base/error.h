// The two kinds of errors that the program reports: wrong input, and a machine that lacks
// something.
#pragma once

#include <stdexcept>
#include <string>

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

}  // namespace ropescope
