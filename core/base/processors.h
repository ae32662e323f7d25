// What this process may run on: processors, threads of its own, and addresses.
// Sources: processors.cpp; processors_one.cpp where the program has one thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ropescope {

int allowed_processors();

/// The processor's name as Linux gives it; "CPU" if it gives none.
std::string processor_name();

/// Throws CapabilityError if the system lets this process have no further thread. For libraries
/// that end the process then, or wait for ever. `what` needs it: "letters".
void require_thread(std::string_view what);

/// Throws std::bad_alloc if this process cannot get so many bytes of addresses. For libraries that
/// end the process where memory ends.
void require_addresses(std::size_t bytes);

}  // namespace ropescope
