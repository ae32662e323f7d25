// Opens standard streams that are missing.
#include "app/cli/standard_streams.h"

#include <fcntl.h>
#include <initializer_list>
#include <unistd.h>

namespace ropescope::cli {

void open_missing_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) < 0) {
            // The lowest free number is this one. For reading only: what is printed is not lost
            // silently.
            ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}

}  // namespace ropescope::cli
