// Starts the program.
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

/// Before the constants of libraries are made, which need memory, too.
[[gnu::constructor(101)]] void begin() {
    ropescope::cli::tell_why_it_ends();
    share_heap_if_addresses_are_limited();
}

}  // namespace

int main(int argc, char** argv) {
    return ropescope::cli::main(argc, argv);
}
