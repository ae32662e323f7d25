// The end of a program that has no memory left, or no thread.
#pragma once

namespace ropescope::cli {

/// From now on, memory that ends where no exception can pass (in a function of a library that
/// throws none, in a destructor, or while an error is told) and a CapabilityError there end the
/// program with one line on standard error and exit code 3, as anywhere else. Temporary files go.
void tell_why_it_ends();

}  // namespace ropescope::cli
