// The paths that CMake passes to this file alone, so that the other tests compile alike anywhere.
#include "tests/support/paths.h"

namespace ropescope::test {

std::string source_dir() {
    return ROPESCOPE_SOURCE_DIR;
}

std::string program_path() {
    return ROPESCOPE_BINARY;
}

}  // namespace ropescope::test
