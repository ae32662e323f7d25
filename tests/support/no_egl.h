// What a machine without EGL looks like to a program: no driver is found.
#pragma once

#include "tests/support/run_program.h"

namespace ropescope::test {

inline const RunOptions kNoEgl{
    .environment = {{"__EGL_VENDOR_LIBRARY_FILENAMES", "/dev/null"}, {"DISPLAY", ""}}};

}  // namespace ropescope::test
