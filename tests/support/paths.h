// Where the tests find the project's files and the program under test.
#pragma once

#include <string>

namespace ropescope::test {

/// The root of the source tree, absolute, without a slash at its end.
std::string source_dir();

/// The program `ropescope` of the same build, or the one that the environment variable
/// ROPESCOPE_BINARY names, absolute.
std::string program_path();

}  // namespace ropescope::test
