// The end of a program that has no memory left.
#pragma once

namespace ropescope::cli {

/// From now on, memory that ends where no exception can pass (in a function of a library that
/// throws none, in a destructor, or while an error is told) ends the program with one line on
/// standard error and exit code 3, like memory that ends anywhere else. Temporary files go.
void tell_when_memory_ends();

}  // namespace ropescope::cli
