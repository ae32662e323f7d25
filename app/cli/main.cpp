// Starts the program.
#include "app/cli/command.h"
#include "app/cli/last_words.h"

namespace {

/// Before the constants of libraries are made, which need memory, too.
[[gnu::constructor(101)]] void begin() {
    ropescope::cli::tell_why_it_ends();
}

}  // namespace

int main(int argc, char** argv) {
    return ropescope::cli::main(argc, argv);
}
