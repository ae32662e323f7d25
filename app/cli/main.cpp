// Starts the program.
#include <cstdlib>
#include <malloc.h>
#include <sys/resource.h>

#include "app/cli/command.h"
#include "app/cli/last_words.h"

namespace {

/// glibc reserves 64 MiB of addresses for each thread, which soon is all that a limit leaves; then
/// libraries end that do not bear it (fontconfig). With a limit, all threads share one heap.
void share_heap_if_addresses_are_limited() {
    rlimit addresses{};
    if (::getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY) {
        ::mallopt(M_ARENA_MAX, 1);
    }
}

/// Mesa warns on standard error of each driver that it cannot open; what is missing then we say
/// ourselves. Somebody who wants to hear it sets the level.
void keep_mesa_quiet() {
    ::setenv("EGL_LOG_LEVEL", "fatal", 0);
}

/// Before the constants of libraries are made, which need memory, too.
[[gnu::constructor(101)]] void begin() {
    ropescope::cli::tell_why_it_ends();
    share_heap_if_addresses_are_limited();
    keep_mesa_quiet();
}

}  // namespace

int main(int argc, char** argv) {
    return ropescope::cli::main(argc, argv);
}
