// The paths that CMake passes to this file alone, so that the other tests compile alike anywhere.
#include "tests/support/paths.h"

#include <cstdlib>

namespace ropescope::test {

std::string source_dir() {
    return ROPESCOPE_SOURCE_DIR;
}

std::string program_path() {
    const char* const other =
        std::getenv("ROPESCOPE_BINARY");  // for example with a fault (tests/mutation)
    return other != nullptr ? other : ROPESCOPE_BINARY;
}

}  // namespace ropescope::test
