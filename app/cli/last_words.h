// The end of a program that has no memory left, or no thread, or loses what it reads.
#pragma once

namespace ropescope::cli {

/// From now on the program ends with one line on standard error and exit code 3 also where memory
/// ends or a CapabilityError is thrown and no exception can pass: in a function of a library that
/// throws none, in a destructor, or while an error is told. Temporary files are removed.
void tell_why_it_ends();

/// Ends the program in the same way, with exit code 2, where a page of a mapped file can no longer
/// be read: for on_lost_pages().
[[noreturn]] void end_for_lost_pages(const char* path) noexcept;

}  // namespace ropescope::cli
