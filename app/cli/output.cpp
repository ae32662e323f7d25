// Writes to standard output or to a file.
#include "app/cli/output.h"

#include <cstdio>

#include "core/base/file.h"

namespace ropescope::cli {

void print(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
}

void deliver(std::string_view text, const std::string& path) {
    if (path.empty()) {
        print(text);
    } else {
        write_file_whole(path, text);
    }
}

}  // namespace ropescope::cli
