// Starts the program.
#include "app/cli/command.h"

int main(int argc, char** argv) {
    return ropescope::cli::main(argc, argv);
}
